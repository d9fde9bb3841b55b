//===- AllowComments.cpp - `opsig: allow(...)` and what it is about ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SuppressInternal.h"
#include "opsig/Report/Selection.h"
#include "opsig/Support/Finding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <optional>

using namespace opsig;
using namespace llvm;

namespace {

/// Lines: YAML and Python, where a comment begins with '#' and is about a line.
enum class Language { Cpp, Lines };

Language languageOf(StringRef Name) {
  StringRef Extension = sys::path::extension(Name);
  return Extension == ".yaml" || Extension == ".yml" || Extension == ".py" ? Language::Lines
                                                                           : Language::Cpp;
}

/// A line that holds nothing but a comment.
bool isCommentLine(StringRef Line, Language L) {
  Line = Line.ltrim();
  return L == Language::Lines
             ? Line.starts_with("#")
             : Line.starts_with("//") || (Line.starts_with("/*") && Line.rtrim().ends_with("*/"));
}

/// Where a comment that begins with "opsig" begins in \p Line; npos if none does.
size_t findComment(StringRef Line, Language L) {
  for (StringRef Mark : {"//", "/*", "#"}) {
    if ((Mark == "#") != (L == Language::Lines))
      continue;
    for (size_t At = Line.find(Mark); At != StringRef::npos;) {
      StringRef Behind = Line.drop_front(At + Mark.size()).ltrim("/* \t!");
      if (Behind.starts_with_insensitive("opsig"))
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
uint32_t lastLineOf(uint32_t First, SourceId File, const SourceFiles &Files, Language L) {
  // Nobody writes longer declarations; text that is no C++ should not be silenced to its end.
  constexpr uint32_t Most = 100;
  if (L == Language::Lines)
    return First;
  StatementEnd End;
  for (uint32_t Line = First; Line < First + Most; ++Line)
    if (End.endsIn(Files.line(File, Line)))
      return Line;
  return First;
}

/// Other tools' words for it, and what comes to mind; where a list in parentheses follows also
/// typos of them.
bool soundsLikeAllow(StringRef Verb, bool HasList) {
  static constexpr StringRef Verbs[] = {"allow",   "ignore", "ignored",  "disable", "disabled",
                                        "skip",    "off",    "suppress", "silence", "silent",
                                        "exclude", "nolint", "noqa",     "permit",  "expect"};
  std::string Lower = Verb.lower();
  return is_contained(Verbs, Lower) || (HasList && nearest(Lower, Verbs));
}

bool isCheckList(StringRef List) {
  if (List.trim().empty())
    return false;
  return all_of(split(List, ','), [](StringRef Name) {
    Name = Name.trim();
    Name.consume_front("opsig-");
    return !Name.empty() && CheckGlobs(("opsig-" + Name).str()).unknown().empty();
  });
}

/// What stands behind the verb: the list in any brackets, behind a sign, or plain; up to the end of
/// the comment. \p Length: how much of \p Rest it is.
StringRef listIn(StringRef Rest, size_t &Length) {
  StringRef Text = Rest.ltrim(" \t:=");
  size_t Skipped = Rest.size() - Text.size();
  constexpr StringLiteral Open = "([{<", Close = ")]}>";
  size_t Bracket = Text.empty() ? StringRef::npos : Open.find(Text.front());
  if (Bracket != StringRef::npos) {
    size_t End = Text.find(Close[Bracket]);
    Length = Skipped + (End == StringRef::npos ? Text.size() : End + 1);
    return Text.slice(1, End);
  }
  auto IsListChar = [](char C) { return isAlnum(C) || C == '-' || C == '*' || C == ','; };
  StringRef List = Text.take_while(IsListChar);
  Length = Skipped + List.size();
  return List;
}

/// "-next-line" of "disable-next-line".
StringRef reachOf(StringRef Behind) {
  for (StringRef Reach :
       {"-next-line", "_next_line", "-nextline", "-line", "_line", "-file", "-all"})
    if (Behind.starts_with_insensitive(Reach))
      return Behind.take_front(Reach.size());
  return "";
}

/// \p Rest stands behind "opsig:", or behind "opsig" if the colon is missing, as in
/// "opsig-disable".
std::optional<WrongAllow> wrongAllow(StringRef Rest, bool HasColon) {
  StringRef Text = Rest.ltrim();
  HasColon |= Text.consume_front("-");
  StringRef Verb = Text.take_while(isAlpha);
  if (!soundsLikeAllow(Verb, HasColon && Text.drop_front(Verb.size()).starts_with("(")))
    return std::nullopt;
  Verb = Text.take_front(Verb.size() + reachOf(Text.drop_front(Verb.size())).size());
  StringRef Behind = Text.drop_front(Verb.size());
  size_t Length = 0;
  StringRef List = listIn(Behind, Length);
  bool NamesChecks = isCheckList(List);
  // "opsig: allow the compiler to ..." is prose.
  bool IsShort = Behind.trim(" \t*/").empty() || StringRef("([{<:=").contains(Behind.front());
  if (!NamesChecks && (!IsShort || !HasColon))
    return std::nullopt;
  WrongAllow Out;
  Out.At.Length = Rest.size() - Text.size() + Verb.size() + Length;
  if (NamesChecks) {
    Out.List = List;
    Out.Right = ("opsig: allow(" + List.trim() + ")").str();
    Out.Message = "this comment suppresses nothing; write '" + Out.Right + "'";
  } else {
    Out.Message = "this comment suppresses nothing; name the checks, as in "
                  "'opsig: allow(kernel-signature)'";
  }
  return Out;
}

/// What is the same for all comments of a line, and for all lines of a block of them.
class CommentLines {
public:
  CommentLines(SourceId File, const SourceFiles &Files)
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
  bool mayClose(size_t Offset) const { return LastClose != StringRef::npos && Offset < LastClose; }

  /// The lines that a comment of this line is about: the line itself, or what stands below it.
  std::pair<uint32_t, uint32_t> subject() {
    if (!IsAlone)
      return {Number, Number};
    if (Number >= First) {
      First = Number + 1;
      while (isCommentLine(Files.line(File, First), L))
        ++First;
      Last = lastLineOf(First, File, Files, L);
    }
    return {First, Last};
  }

private:
  SourceId File;
  const SourceFiles &Files;
  Language L;
  uint32_t Number = 0, First = 0, Last = 0;
  StringRef Line;
  size_t Comment = StringRef::npos, LastClose = StringRef::npos;
  bool IsAlone = false;
};

} // namespace

StringRef opsig::commentStart(StringRef File) {
  return languageOf(File) == Language::Lines ? "#" : "//";
}

OwnComments opsig::allowComments(SourceId File, const SourceFiles &Files) {
  constexpr StringLiteral Verb = "allow(", Word = "opsig";
  CommentLines Lines(File, Files);
  StringRef Text = Files.text(File);
  OwnComments Out;
  size_t Next = 0;
  for (size_t Hit; (Hit = Text.find_insensitive(Word, Next)) != StringRef::npos;) {
    Next = Hit + 1;
    Place At = Files.placeAt(File, Hit);
    Lines.go(At.Line);
    StringRef Line = Lines.line();
    if (Lines.comment() == StringRef::npos || Lines.comment() >= At.Column - 1)
      continue;
    StringRef Rest = Line.drop_front(At.Column - 1 + Word.size());
    bool HasColon = Rest.consume_front(":");
    StringRef Said = Rest.ltrim();
    bool IsAllow = HasColon && Text.substr(Hit).starts_with(Word) && Said.starts_with(Verb) &&
                   Lines.mayClose(Said.data() - Line.data());
    size_t Close = IsAllow ? Said.find(')') : StringRef::npos;
    if (Close != StringRef::npos && !Said.slice(Verb.size(), Close).trim().empty()) {
      AllowComment A;
      A.List = Said.slice(Verb.size(), Close);
      A.ListAt = {File, At.Line, uint32_t(A.List.data() - Line.data() + 1),
                  uint32_t(A.List.size())};
      A.At = At;
      A.At.Length = A.ListAt.Column + A.List.size() + 1 - At.Column;
      Next = Hit + A.At.Length; // no list has another in it
      std::tie(A.First, A.Last) = Lines.subject();
      Out.Allows.push_back(A);
      continue;
    }
    // Only what a comment begins with is meant for opsig.
    if (!Line.slice(Lines.comment(), At.Column - 1).trim("#/*! \t").empty())
      continue;
    if (std::optional<WrongAllow> Wrong = wrongAllow(Rest, HasColon)) {
      uint32_t Length = Wrong->At.Length + Word.size() + HasColon;
      Wrong->At = At;
      Wrong->At.Length = Length;
      std::tie(Wrong->First, Wrong->Last) = Lines.subject();
      Out.Wrong.push_back(std::move(*Wrong));
    }
  }
  return Out;
}
