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
    for (size_t At = Line.find(Mark); At != StringRef::npos;) {
      StringRef Behind = Line.drop_front(At + Mark.size()).ltrim("/* \t!");
      if (Behind.starts_with("opsig:"))
        return At;
      // A mark among what was left out has the same behind it.
      At = Line.find(Mark, Line.size() - Behind.size());
    }
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

namespace {

/// What is the same for all comments of a line, and for all lines of a block of them.
class CommentLines {
public:
  CommentLines(FileId File, const SourceFiles &Files)
      : File(File), Files(Files), L(languageOf(Files.name(File))) {}

  void go(uint32_t To) {
    if (To == Number)
      return;
    Number = To;
    Line = Files.line(File, Number);
    Comment = findComment(Line, L);
    IsAlone = Comment != StringRef::npos && Line.take_front(Comment).trim().empty();
    LastClose = Line.rfind(')');
  }
  StringRef line() const { return Line; }
  /// Where the first one begins that is opsig's; npos if none does.
  size_t comment() const { return Comment; }
  bool isAlone() const { return IsAlone; }
  bool mayClose(size_t Offset) const { return LastClose != StringRef::npos && Offset < LastClose; }

  /// The lines that a comment on a line of its own is about.
  std::pair<uint32_t, uint32_t> below() {
    if (Number >= First) {
      First = Number + 1;
      while (isCommentLine(Files.line(File, First), L))
        ++First;
      Last = lastLineOf(First, File, Files, L);
    }
    return {First, Last};
  }

private:
  FileId File;
  const SourceFiles &Files;
  Language L;
  uint32_t Number = 0, First = 0, Last = 0;
  StringRef Line;
  size_t Comment = StringRef::npos, LastClose = StringRef::npos;
  bool IsAlone = false;
};

} // namespace

std::vector<AllowComment> opsig::allowComments(FileId File, const SourceFiles &Files) {
  constexpr StringLiteral Verb = "allow(";
  CommentLines Lines(File, Files);
  StringRef Text = Files.text(File);
  std::vector<AllowComment> Found;
  size_t Next = 0;
  for (size_t Hit; (Hit = Text.find("opsig:", Next)) != StringRef::npos;) {
    Next = Hit + 1;
    Place At = Files.placeAt(File, Hit);
    Lines.go(At.Line);
    StringRef Line = Lines.line();
    if (Lines.comment() == StringRef::npos || Lines.comment() >= At.Column - 1)
      continue;
    StringRef Rest = Line.drop_front(At.Column - 1 + strlen("opsig:")).ltrim();
    if (!Rest.starts_with(Verb) || !Lines.mayClose(Rest.data() - Line.data()))
      continue;
    AllowComment A;
    A.List = Rest.slice(Verb.size(), Rest.find(')'));
    A.ListAt = {File, At.Line, uint32_t(A.List.data() - Line.data() + 1), uint32_t(A.List.size())};
    A.At = At;
    A.At.Length = A.ListAt.Column + A.List.size() + 1 - At.Column;
    Next = Hit + A.At.Length; // no list has another in it
    A.First = A.Last = At.Line;
    if (Lines.isAlone())
      std::tie(A.First, A.Last) = Lines.below();
    Found.push_back(A);
  }
  return Found;
}
