//===- BuildFiles.cpp - the standard of C++ that build files choose -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

/// What an older PyTorch offered to build files, and what to do instead.
static constexpr std::pair<StringLiteral, StringLiteral> GoneFromBuilds[] = {
    {"torch.utils.ffi",
     "gone since 1.0: bind the sources with pybind11 or TORCH_LIBRARY, and build "
     "them with torch.utils.cpp_extension"},
};

std::vector<UpgradeEdit> opsig::adviceForBuildFile(SourceId File, const SourceFiles &Files) {
  std::vector<UpgradeEdit> Out;
  StringRef Text = Files.text(File);
  for (auto [Name, Advice] : GoneFromBuilds)
    if (size_t At = Text.find(Name); At != StringRef::npos && !CommentLines(Text).has(At)) {
      UpgradeEdit &Edit = Out.emplace_back();
      Edit.From = Name.str();
      Edit.To = Advice.str();
      Edit.At = Files.placeAt(File, At);
      Edit.IsAdvice = true;
    }
  return Out;
}

std::vector<UpgradeEdit> opsig::planBuildFile(StringRef Name, SourceId File, unsigned Oldest,
                                              const SourceFiles &Files) {
  std::vector<UpgradeEdit> Out;
  StringRef Text = Files.text(File);
  const bool IsCMake = sys::path::filename(Name) == "CMakeLists.txt";
  if (!Text.contains_insensitive("torch"))
    return Out;
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
