//===- NoQa.cpp - `# noqa` in Python ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As flake8 and ruff read it: in comments, in any case, about its own line and the string that ends
// there. Without a colon it is about everything; behind one there are codes, with commas or blanks
// between them, and then whatever else.
//
//===----------------------------------------------------------------------===//

#include "SuppressInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// Where comments of Python code are.
class PythonComments {
public:
  explicit PythonComments(StringRef Text) : Text(Text) {}

  /// Goes to the next one; false if there is none.
  bool next() {
    while (At < Text.size()) {
      char C = Text[At];
      if (C == '#') {
        size_t End = std::min(Text.find('\n', At), Text.size());
        Comment = Text.slice(At, End);
        At = End;
        return true;
      }
      if (C == '"' || C == '\'')
        skipString();
      else
        ++At;
    }
    return false;
  }

  StringRef comment() const { return Comment; }
  size_t offset() const { return Comment.data() - Text.data(); }
  /// Where the last string began that goes over several lines, and where it ended.
  size_t stringBegin() const { return LongBegin; }
  size_t stringEnd() const { return LongEnd; }

private:
  void skipString() {
    size_t Begin = At;
    StringRef Quote = Text.substr(At, 1);
    bool IsTriple = Text.drop_front(At + 1).starts_with((Quote + Quote).str());
    if (IsTriple)
      Quote = Text.substr(At, 3);
    for (At += Quote.size(); At < Text.size(); ++At) {
      if (Text[At] == '\\')
        ++At;
      else if (Text[At] == '\n' && !IsTriple)
        return;
      else if (Text.drop_front(At).starts_with(Quote))
        break;
    }
    At = std::min(At + Quote.size(), Text.size());
    if (IsTriple) {
      LongBegin = Begin;
      LongEnd = At;
    }
  }

  StringRef Text, Comment;
  size_t At = 0, LongBegin = StringRef::npos, LongEnd = StringRef::npos;
};

/// "E501", of whichever tool.
bool isCode(StringRef Word) {
  StringRef Digits = Word.drop_while(isAlpha);
  return Digits.size() != Word.size() && !Digits.empty() && all_of(Digits, isDigit);
}

bool isOwn(StringRef Word) {
  return Word.starts_with("opsig-") || (!Word.contains('*') && findFindingId(Word).has_value());
}

/// What stands behind "noqa".
void readCodes(StringRef Rest, NoQa &Out) {
  StringRef Behind = Rest.ltrim(" \t");
  if (!Behind.consume_front(":"))
    return;
  Out.HasList = true;
  while (true) {
    Behind = Behind.ltrim(" \t,");
    StringRef Word = Behind.take_while([](char C) { return isAlnum(C) || C == '-' || C == '*'; });
    if (Word.empty() || (!isCode(Word) && !isOwn(Word)))
      return;
    Out.Names.push_back(Word);
    Behind = Behind.drop_front(Word.size());
  }
}

/// The one in a comment; ruff and flake8 take the first.
std::optional<NoQa> noQaIn(StringRef Comment) {
  constexpr StringLiteral Word = "noqa";
  for (size_t Hash = Comment.find('#'); Hash != StringRef::npos;
       Hash = Comment.find('#', Hash + 1)) {
    StringRef Rest = Comment.drop_front(Hash + 1).ltrim(" \t");
    if (!Rest.starts_with_insensitive(Word))
      continue;
    StringRef Behind = Rest.drop_front(Word.size());
    if (!Behind.empty() && (isAlnum(Behind.front()) || Behind.front() == '_'))
      continue;
    NoQa Out;
    readCodes(Behind, Out);
    StringRef Last = Out.Names.empty() ? Rest.take_front(Word.size()) : Out.Names.back();
    Out.Text = Comment.slice(Hash, Last.end() - Comment.data());
    return Out;
  }
  return std::nullopt;
}

} // namespace

std::vector<NoQa> opsig::noQaComments(SourceId File, const SourceFiles &Files) {
  StringRef Text = Files.text(File);
  std::vector<NoQa> Found;
  if (!Text.contains_insensitive("noqa"))
    return Found;
  PythonComments Comments(Text);
  while (Comments.next()) {
    std::optional<NoQa> Next = noQaIn(Comments.comment());
    if (!Next)
      continue;
    Next->At = Files.placeAt(File, Next->Text.data() - Text.data(), Next->Text.size());
    Next->First = Next->At.Line;
    if (Comments.stringEnd() != StringRef::npos &&
        Files.placeAt(File, Comments.stringEnd()).Line == Next->At.Line)
      Next->First = Files.placeAt(File, Comments.stringBegin()).Line;
    Found.push_back(std::move(*Next));
  }
  return Found;
}
