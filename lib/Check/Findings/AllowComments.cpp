//===- AllowComments.cpp - `opsig: allow(...)` and what it is about ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Findings/SuppressInternal.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace llvm;

namespace {

enum class Language { Cpp, Yaml };

Language languageOf(StringRef Name) {
  StringRef Extension = sys::path::extension(Name);
  return Extension == ".yaml" || Extension == ".yml" ? Language::Yaml : Language::Cpp;
}

/// A line that holds nothing but a comment.
bool isCommentLine(StringRef Line, Language L) {
  Line = Line.ltrim();
  return L == Language::Yaml
             ? Line.starts_with("#")
             : Line.starts_with("//") || (Line.starts_with("/*") && Line.rtrim().ends_with("*/"));
}

/// Where a comment that begins with "opsig:" begins in \p Line; npos if none does.
size_t findComment(StringRef Line, Language L) {
  for (StringRef Mark : {"//", "/*", "#"}) {
    if ((Mark == "#") != (L == Language::Yaml))
      continue;
    for (size_t At = Line.find(Mark); At != StringRef::npos; At = Line.find(Mark, At + 1))
      if (Line.drop_front(At + Mark.size()).ltrim("/* \t!").starts_with("opsig:"))
        return At;
  }
  return StringRef::npos;
}

/// Follows a declaration or statement of C++ line by line.
class StatementEnd {
public:
  /// Whether the statement ends in \p Line: at a `;` or a brace outside of all parentheses.
  bool endsIn(StringRef Line) {
    for (size_t I = 0; I < Line.size(); ++I) {
      char C = Line[I];
      if (Line.drop_front(I).starts_with("//"))
        break;
      if (C == '"' || C == '\'') {
        // A quote between digits separates them.
        if (C == '\'' && I && isHexDigit(Line[I - 1]))
          continue;
        I = closingQuote(Line, I);
      } else if (C == '(' || C == '[') {
        ++Depth;
      } else if (C == ')' || C == ']') {
        --Depth;
      } else if (Depth <= 0 && (C == ';' || C == '{' || C == '}')) {
        return true;
      }
    }
    return false;
  }

private:
  static size_t closingQuote(StringRef Line, size_t Open) {
    for (size_t I = Open + 1; I < Line.size(); ++I) {
      if (Line[I] == '\\')
        ++I;
      else if (Line[I] == Line[Open])
        return I;
    }
    return Line.size();
  }

  int Depth = 0;
};

/// The last line of what begins in line \p First.
uint32_t lastLineOf(uint32_t First, FileId File, const SourceFiles &Files, Language L) {
  // Nobody writes longer declarations; text that is no C++ should not be silenced to its end.
  constexpr uint32_t Most = 100;
  if (L == Language::Yaml)
    return First;
  StatementEnd End;
  for (uint32_t Line = First; Line < First + Most; ++Line)
    if (End.endsIn(Files.line(File, Line)))
      return Line;
  return First;
}

} // namespace

std::vector<AllowComment> opsig::allowComments(FileId File, const SourceFiles &Files) {
  constexpr StringLiteral Verb = "allow(";
  Language L = languageOf(Files.name(File));
  StringRef Text = Files.text(File);
  std::vector<AllowComment> Found;
  for (size_t Hit = Text.find("opsig:"); Hit != StringRef::npos;
       Hit = Text.find("opsig:", Hit + 1)) {
    Place At = Files.placeAt(File, Hit);
    StringRef Line = Files.line(File, At.Line);
    size_t Comment = findComment(Line, L);
    if (Comment == StringRef::npos || Comment >= At.Column - 1)
      continue;
    StringRef Rest = Line.drop_front(At.Column - 1 + strlen("opsig:"));
    size_t Blanks = Rest.size() - Rest.ltrim().size();
    Rest = Rest.drop_front(Blanks);
    size_t Close = Rest.find(')');
    if (!Rest.starts_with(Verb) || Close == StringRef::npos)
      continue;
    AllowComment A;
    A.List = Rest.slice(Verb.size(), Close);
    A.ListAt = {File, At.Line, uint32_t(A.List.data() - Line.data() + 1), uint32_t(A.List.size())};
    A.At = At;
    A.At.Length = A.ListAt.Column + A.List.size() + 1 - At.Column;
    A.First = A.Last = At.Line;
    if (Line.take_front(Comment).trim().empty()) {
      do
        ++A.First;
      while (isCommentLine(Files.line(File, A.First), L));
      A.Last = lastLineOf(A.First, File, Files, L);
    }
    Found.push_back(A);
  }
  return Found;
}
