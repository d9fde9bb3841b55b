//===- SchemaBranches.cpp - definitions in branches of a function ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `if (old) { m.def("f(Tensor x) -> Tensor"); m.impl("f", &f); } else { ... }`
//   => does this kernel go with that definition?
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

/// What a comment or a literal at the beginning of \p Text takes; 0 for anything else.
static size_t lengthOfWords(StringRef Text) {
  if (Text.starts_with("//"))
    return std::min(Text.find('\n'), Text.size());
  if (Text.starts_with("/*")) {
    size_t End = Text.find("*/", 2);
    return End == StringRef::npos ? Text.size() : End + 2;
  }
  if (Text.front() != '"' && Text.front() != '\'')
    return 0;
  size_t At = 1;
  while (At < Text.size() && Text[At] != Text.front())
    At += Text[At] == '\\' ? 2 : 1;
  return std::min(At + 1, Text.size());
}

/// Whether a statement behind \p Between, which begins with the call of another one, runs in every
/// case in which that one does not leave it.
static bool staysInBranch(StringRef Between) {
  int Depth = 0;
  while (!Between.empty()) {
    if (size_t Skipped = lengthOfWords(Between)) {
      Between = Between.drop_front(Skipped);
      continue;
    }
    StringRef Word = Between.take_while([](char C) { return isAlnum(C) || C == '_'; });
    if (Depth == 0 && is_contained({"else", "case", "default"}, Word))
      return false;
    // What a raw string or a directive holds is not told apart.
    if (Word.ends_with("R") && Between.drop_front(Word.size()).starts_with("\""))
      return false;
    if (Word.empty()) {
      char C = Between.front();
      Depth += (C == '{') - (C == '}');
      if (Depth < 0 || C == '#')
        return false;
    }
    Between = Between.drop_front(std::max<size_t>(Word.size(), 1));
  }
  return true;
}

bool opsig::isInBranchOf(const EntryRef &E, const EntryRef &Def, UnitFiles &Files) {
  const Span &First = Def.Entry->At, &Later = E.Entry->At;
  if (E.Unit != Def.Unit || E.Block != Def.Block || !First.isValid() || !Later.isValid() ||
      First.File != Later.File || First.end() > Later.Offset)
    return false;
  // A definition that a condition without braces is about ends its branch.
  StringRef Before = Files.text(*E.Unit, {First.File, 0, First.Offset}).rtrim();
  if (Before.empty() || !is_contained({'{', '}', ';'}, Before.back()))
    return false;
  return staysInBranch(Files.text(*E.Unit, {First.File, First.end(), Later.Offset - First.end()}));
}
