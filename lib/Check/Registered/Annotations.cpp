//===- Annotations.cpp - alias annotations that schema strings lack -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registered/RegistrationInternal.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// Edits the alias annotations of a schema that stands in a string literal.
class AnnotationFixer {
public:
  AnnotationFixer(const KernelSchema &Schema, UnitFiles &Files)
      : S(*Schema.Schema), Def(*Schema.Def), Files(Files) {}

  std::vector<Fix> markWritten(unsigned Arg, function_ref<bool(unsigned)> IsArg);

private:
  std::string freshSet() const;
  std::optional<Fix> insertBehind(StringRef Word, TextRange At, StringRef Text);

  const ScriptSchema &S;
  const EntryRef &Def;
  UnitFiles &Files;
};

/// A letter that no annotation has.
std::string AnnotationFixer::freshSet() const {
  std::string Used;
  for (const std::vector<ScriptArgument> *List : {&S.Args, &S.Returns})
    for (const ScriptArgument &A : *List)
      if (A.Alias)
        for (const std::vector<std::string> *Sets : {&A.Alias->Before, &A.Alias->After})
          for (const std::string &Set : *Sets)
            Used += Set;
  for (char Letter = 'a'; Letter <= 'z'; ++Letter)
    if (Used.find(Letter) == std::string::npos)
      return std::string(1, Letter);
  return "";
}

std::optional<Fix> AnnotationFixer::insertBehind(StringRef Word, TextRange At, StringRef Text) {
  const LiteralText &Literal = Def.Entry->Text;
  Span Place = Literal.at(At.Offset, Word.size());
  // Letter for letter in the file: no escape, no macro, no constant that others use.
  if (Literal.isShared(At.Offset, Word.size()) || Files.text(*Def.Unit, Place) != Word)
    return std::nullopt;
  return Fix{Files.file(*Def.Unit, Place.File), Place.end(), 0, Text.str()};
}

std::vector<Fix> AnnotationFixer::markWritten(unsigned Arg, function_ref<bool(unsigned)> IsArg) {
  std::string Set = freshSet();
  if (S.Args[Arg].Alias || Set.empty())
    return {};
  std::optional<Fix> OfArg = insertBehind("Tensor", S.Args[Arg].TypeAt, "(" + Set + "!)");
  if (!OfArg)
    return {};
  std::vector<Fix> Out = {*OfArg};
  for (unsigned I = 0; I < S.Returns.size(); ++I) {
    std::optional<Fix> OfReturn;
    if (!S.Returns[I].Alias && IsArg(I))
      OfReturn = insertBehind("Tensor", S.Returns[I].TypeAt, "(" + Set + "!)");
    if (OfReturn)
      Out.push_back(*OfReturn);
  }
  return Out;
}

} // namespace

std::vector<Fix> opsig::markWritten(const KernelSchema &Schema, unsigned Arg,
                                    function_ref<bool(unsigned)> IsArg, UnitFiles &Files) {
  if (!Schema.Def)
    return {};
  return AnnotationFixer(Schema, Files).markWritten(Arg, IsArg);
}
