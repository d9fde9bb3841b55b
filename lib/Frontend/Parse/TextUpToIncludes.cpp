//===- TextUpToIncludes.cpp - the part of a file that decides what headers say -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Works on characters, and stops at all that it does not know: too long a part costs time only. It
// does not matter whether a '#' is in a comment, in a string or in a branch that is left out.
//
//===----------------------------------------------------------------------===//
#include "Parse/HeaderTokens.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace llvm;

/// Whether a directive of that name includes nothing. `import` of C++20 has no '#', but is of no
/// use to a file that is read without modules.
static bool includesNothing(StringRef Directive) {
  return StringSwitch<bool>(Directive)
      .Cases({"define", "undef", "if", "ifdef", "ifndef"}, true)
      .Cases({"elif", "elifdef", "elifndef", "else", "endif"}, true)
      .Cases({"pragma", "error", "warning", "line"}, true)
      .Default(false);
}

/// Whether \p Text, which follows a '#' or another spelling of it, may include something.
static bool mayInclude(StringRef Text) {
  Text = Text.ltrim(" \t\f\v");
  StringRef Name = Text.take_while([](char C) { return isAlnum(C) || C == '_'; });
  StringRef After = Text.drop_front(Name.size());
  // A name may go on behind the end of the line, or be spelled in another way.
  bool IsWhole = After.empty() || isSpace(After.front()) || After.front() == '(' ||
                 After.front() == '"' || After.front() == '!';
  return !IsWhole || !includesNothing(Name);
}

/// Where the line goes on behind a line end, in whatever spelling.
static bool isContinued(StringRef Line) {
  Line = Line.rtrim();
  return Line.ends_with("\\") || Line.ends_with("?\?/");
}

StringRef opsig::textUpToIncludes(StringRef Text) {
  size_t End = 0;
  for (size_t At = 0; At < Text.size(); ++At) {
    size_t Length = 0;
    for (StringRef Spelling : {"#", "%:", "?\?="})
      if (Text.substr(At).starts_with(Spelling))
        Length = Spelling.size();
    if (Length && mayInclude(Text.drop_front(At + Length)))
      End = At + Length;
  }
  while (End && End < Text.size()) {
    size_t LineEnd = std::min(Text.find('\n', End), Text.size());
    StringRef Line = Text.slice(End, LineEnd);
    // A comment of several lines may stand before the rest of the directive.
    if (Line.rsplit("*/").second.contains("/*") || (Line.contains("/*") && !Line.contains("*/")))
      return Text;
    bool GoesOn = isContinued(Line);
    End = std::min(LineEnd + 1, Text.size());
    if (!GoesOn)
      break;
  }
  return Text.take_front(End);
}
