//===- NoQa.cpp - comments of Python tools: `# noqa`, `# type: ignore[...]` -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As flake8 and ruff read it: in comments, in any case, about its own line and the string that ends
// there. Without a colon it is about everything; behind one there are codes, with commas or blanks
// between them, and then whatever else. Type checkers' comments suppress nothing of opsig's.
//
//===----------------------------------------------------------------------===//

#include "SuppressInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

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
  /// The first line that a comment in line \p Line is about: the one where a string begins that
  /// ends there.
  uint32_t firstLine(uint32_t Line, SourceId File, const SourceFiles &Files) const {
    bool EndsHere = LongEnd != StringRef::npos && Files.placeAt(File, LongEnd).Line == Line;
    return EndsHere ? Files.placeAt(File, LongBegin).Line : Line;
  }

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

struct IgnoreText {
  StringRef Text, Verb, List;
};

/// Of "type: ignore[a, b]" or "pylint: disable=a,b" at the begin of \p Rest.
std::optional<IgnoreText> ignoreIn(StringRef Rest) {
  StringRef Tool = Rest.take_while([](char C) { return isAlnum(C) || C == '-'; });
  StringRef Behind = Rest.drop_front(Tool.size()).ltrim(" \t");
  if (Tool.empty() || Tool == "opsig" || !Behind.consume_front(":"))
    return std::nullopt;
  Behind = Behind.ltrim(" \t");
  if (!Behind.consume_front("ignore") && !Behind.consume_front("disable"))
    return std::nullopt;
  StringRef Verb(Rest.data(), Behind.data() - Rest.data());
  Behind = Behind.ltrim(" \t");
  size_t End;
  StringRef List;
  if (Behind.consume_front("[")) {
    End = Behind.find(']');
    if (End == StringRef::npos)
      return std::nullopt;
    List = Behind.take_front(End++);
  } else if (Behind.consume_front("=")) {
    List = Behind.take_while([](char C) { return isAlnum(C) || StringRef("-_, \t").contains(C); });
    List = List.rtrim(" \t");
    End = List.size();
  } else {
    return std::nullopt;
  }
  return IgnoreText{StringRef(Rest.data(), Behind.data() + End - Rest.data()), Verb, List};
}

/// Of \p Names those that can only be opsig's.
std::vector<StringRef> ownNames(ArrayRef<StringRef> Names) {
  std::vector<StringRef> Own;
  copy_if(Names, std::back_inserter(Own), [](StringRef N) { return N.starts_with("opsig-"); });
  return Own;
}

/// The one in a comment that names checks of opsig's; At and First are not set.
std::optional<OtherToolsIgnore> otherToolsIgnoreIn(StringRef Comment, StringRef &Text) {
  for (size_t Hash = Comment.find('#'); Hash != StringRef::npos;
       Hash = Comment.find('#', Hash + 1)) {
    std::optional<IgnoreText> Found = ignoreIn(Comment.drop_front(Hash + 1).ltrim(" \t"));
    if (!Found)
      continue;
    OtherToolsIgnore Out;
    Out.Verb = Found->Verb;
    for (StringRef Name : split(Found->List, ','))
      Out.Names.push_back(Name.trim());
    Out.OwnNames = ownNames(Out.Names);
    Text = Found->Text;
    if (!Out.OwnNames.empty())
      return Out;
  }
  return std::nullopt;
}

} // namespace

std::vector<OtherToolsIgnore> opsig::otherToolsIgnores(SourceId File, const SourceFiles &Files) {
  StringRef Text = Files.text(File), Found;
  std::vector<OtherToolsIgnore> All;
  if (!Text.contains("opsig-"))
    return All;
  PythonComments Comments(Text);
  while (Comments.next()) {
    std::optional<OtherToolsIgnore> Next = otherToolsIgnoreIn(Comments.comment(), Found);
    if (!Next)
      continue;
    Next->At = Files.placeAt(File, Found.data() - Text.data(), Found.size());
    Next->First = Comments.firstLine(Next->At.Line, File, Files);
    All.push_back(std::move(*Next));
  }
  return All;
}

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
    Next->First = Comments.firstLine(Next->At.Line, File, Files);
    Found.push_back(std::move(*Next));
  }
  return Found;
}
