//===- BuildFiles.cpp - the standard of C++ that build files choose -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Support/CppName.h"
#include "opsig/Upgrade/Upgrade.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace opsig;
using namespace llvm;

/// Two digits of a year, or how compilers called it before; 0 for anything else.
static unsigned yearOf(StringRef Digits) {
  if (Digits == "0x")
    return 11;
  if (Digits == "1y")
    return 14;
  if (Digits == "1z")
    return 17;
  unsigned Year = 0;
  return Digits.getAsInteger(10, Year) || Year > 90 ? 0 : Year;
}

namespace {

/// Whether a place is in a line that is a comment, which says nothing to the build. Asked from the
/// beginning to the end: a line may be the whole file.
class CommentLines {
public:
  explicit CommentLines(StringRef Text) : Text(Text) { begin(0); }

  bool has(size_t At) {
    while (End < At)
      begin(End + 1);
    return IsComment;
  }

private:
  void begin(size_t Line) {
    End = std::min(Text.find('\n', Line), Text.size());
    IsComment = Text.slice(Line, End).ltrim().starts_with("#");
  }

  StringRef Text;
  size_t End = 0;
  bool IsComment = false;
};

} // namespace

/// Where \p Name stands as a word outside of comments; npos if nowhere.
static size_t findWord(StringRef Text, StringRef Name) {
  CommentLines Comments(Text);
  size_t At = findCppName(Text, Name);
  while (At != StringRef::npos && Comments.has(At))
    At = findCppName(Text, Name, At + 1);
  return At;
}

/// "gone as of 1.0", or the release that was seen without it; "" where \p Release has it.
static std::string goneFrom(const VersionTuple &Release, const BuildFileChange &Change) {
  if (Release < VersionTuple(Change.Gone.getMajor(), Change.Gone.getMinor().value_or(0)))
    return "";
  return (Change.Gone.getSubminor() ? "gone in PyTorch " : "gone as of PyTorch ") +
         Change.Gone.getAsString();
}

std::vector<UpgradeEdit> opsig::adviceForBuildFile(SourceId File, const VersionTuple &Release,
                                                   const SourceFiles &Files) {
  std::vector<UpgradeEdit> Out;
  StringRef Text = Files.text(File);
  for (const BuildFileChange &Change : buildFileChanges()) {
    std::string Since = goneFrom(Release, Change);
    if (!Change.Argument.empty() || Since.empty())
      continue;
    size_t At = findWord(Text, Change.Name);
    if (At == StringRef::npos)
      continue;
    UpgradeEdit &Edit = Out.emplace_back();
    Edit.From = Change.Name.str();
    Edit.To = (Since + ": " + Change.To).str();
    Edit.At = Files.placeAt(File, At);
    Edit.IsAdvice = true;
  }
  return Out;
}

/// Literal arguments of functions of torch.utils.cpp_extension: `include_paths(cuda=True)`.
static void planArguments(SourceId File, const VersionTuple &Release, const SourceFiles &Files,
                          std::vector<UpgradeEdit> &Out) {
  StringRef Text = Files.text(File);
  if (!Text.contains("cpp_extension"))
    return;
  for (const BuildFileChange &Change : buildFileChanges()) {
    std::string Since = goneFrom(Release, Change);
    if (Change.Argument.empty() || Since.empty())
      continue;
    Regex Call(("(^|[^A-Za-z0-9_])(" + Change.Name + ")\\([ \t]*(" + Change.Argument + ")[ \t]*\\)")
                   .str());
    CommentLines Comments(Text);
    SmallVector<StringRef> Groups;
    for (size_t From = 0; Call.match(Text.drop_front(From), &Groups);) {
      size_t At = size_t(Groups[3].data() - Text.data());
      From = At + Groups[3].size();
      if (Comments.has(At))
        continue;
      UpgradeEdit &Edit = Out.emplace_back();
      Edit.From = (Groups[2] + "(" + Groups[3] + ")").str();
      Edit.To = (Groups[2] + "(" + Change.To + ")").str();
      Edit.At = Files.placeAt(File, At);
      Edit.Since = Since;
      Edit.IsGone = true;
      Edit.Fixes.push_back({File, uint32_t(At), uint32_t(Groups[3].size()), Change.To.str()});
    }
  }
}

std::vector<UpgradeEdit> opsig::planBuildFile(StringRef Name, SourceId File,
                                              const VersionTuple &Release,
                                              const SourceFiles &Files) {
  std::vector<UpgradeEdit> Out;
  const unsigned Oldest = requiredCppStandard(Release);
  StringRef Text = Files.text(File);
  const bool IsCMake = sys::path::filename(Name) == "CMakeLists.txt";
  if (!Text.contains_insensitive("torch"))
    return Out;
  if (!IsCMake)
    planArguments(File, Release, Files, Out);
  // The digits are the last group.
  std::vector<StringRef> Patterns = {"([-/]std[=:](c|gnu)[+][+])([0-9][0-9xyz])"};
  if (IsCMake)
    Patterns = {"(-std=(c|gnu)[+][+])([0-9][0-9xyz])",
                "(CXX_STANDARD|CUDA_STANDARD)[ \t]+([0-9][0-9])", "(cxx_std_)([0-9][0-9])"};
  for (StringRef Pattern : Patterns) {
    Regex Expression(Pattern);
    CommentLines Comments(Text);
    size_t From = 0;
    SmallVector<StringRef> Groups;
    while (Expression.match(Text.drop_front(From), &Groups)) {
      StringRef Digits = Groups.back();
      size_t At = size_t(Digits.data() - Text.data());
      From = At + Digits.size();
      unsigned Year = yearOf(Digits);
      if (Year == 0 || Year >= Oldest || Comments.has(At))
        continue;
      UpgradeEdit &Edit = Out.emplace_back();
      Edit.From = Groups.front().str();
      Edit.To = Groups.front().drop_back(Digits.size()).str() + utostr(Oldest);
      Edit.At = Files.placeAt(File, At);
      Edit.Since = "the headers need C++" + utostr(Oldest);
      Edit.Fixes.push_back({File, uint32_t(At), uint32_t(Digits.size()), utostr(Oldest)});
    }
  }
  return Out;
}
