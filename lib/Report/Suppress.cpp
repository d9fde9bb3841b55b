//===- Suppress.cpp - comments that silence findings ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SuppressInternal.h"
#include "opsig/Report/Suppress.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <optional>

using namespace opsig;
using namespace llvm;

/// As contains_insensitive("opsig"), in a fifth of the time.
static bool namesOpsig(StringRef Text) {
  for (size_t At = 1; At + 3 < Text.size(); ++At)
    if (toLower(Text[At]) == 'p' && toLower(Text[At + 1]) == 's' &&
        Text.substr(At - 1, 5).equals_insensitive("opsig"))
      return true;
  return false;
}

bool opsig::mayHaveSuppressions(StringRef Text) {
  return namesOpsig(Text) || Text.contains("NOLINT");
}

SuppressingComments::SuppressingComments(SourceId File, const SourceFiles &Files) {
  readNoLints(File, Files);
  if (sys::path::extension(Files.name(File)) == ".py") {
    readNoQas(File, Files);
    readOtherToolsIgnores(File, Files);
  }
  readAllows(File, Files);
  sortByLines();
}

void SuppressingComments::sortByLines() {
  // Of statements; what a block silences has any length.
  constexpr uint32_t Short = 128;
  for (const auto &[I, R] : enumerate(Ranges)) {
    if (R.Last - R.First > Short) {
      LongOnes.push_back(I);
      continue;
    }
    for (uint32_t Line = R.First; Line <= R.Last; ++Line)
      ShortOnes[Line].push_back(I);
  }
}

bool SuppressingComments::isSuppressed(size_t Range, StringRef Check, uint32_t Line) const {
  const auto &R = Ranges[Range];
  return R.First <= Line && Line <= R.Last && R.Checks.contains(Check);
}

Place SuppressingComments::suppresses(StringRef Check, uint32_t Line) const {
  size_t Best = Ranges.size();
  auto Look = [&](ArrayRef<size_t> Indices) {
    auto It = find_if(Indices, [&](size_t I) { return isSuppressed(I, Check, Line); });
    if (It != Indices.end())
      Best = std::min(Best, *It);
  };
  if (auto It = ShortOnes.find(Line); It != ShortOnes.end())
    Look(It->second);
  Look(LongOnes);
  return Best == Ranges.size() ? Place() : Ranges[Best].Comment;
}

Place SuppressingComments::meansToSuppress(StringRef Check, uint32_t Line) const {
  auto It = find_if(Meant, [&](const Range &R) {
    return R.First <= Line && Line <= R.Last && R.Checks.contains(Check);
  });
  return It == Meant.end() ? Place() : It->Comment;
}

void SuppressingComments::reportMistakes(Findings &Diags) const {
  for (const Mistake &M : Mistakes)
    Diags.add(M.Id, M.At, M.Message).Fixes = M.Fixes;
}

//===----------------------------------------------------------------------===//
// NOLINT
//===----------------------------------------------------------------------===//

namespace {

/// One NOLINT of any kind. clang-tidy looks for the bare words, in comments or not.
struct NoLint {
  StringRef Word;                  ///< "NOLINT", "NOLINTBEGIN" ...
  std::optional<StringRef> Checks; ///< what stands in the parentheses
  Place At;
};

bool isNoLintWord(StringRef Word) {
  return is_contained({"NOLINT", "NOLINTNEXTLINE", "NOLINTBEGIN", "NOLINTEND"}, Word);
}

std::vector<NoLint> noLintsOf(SourceId File, const SourceFiles &Files) {
  constexpr StringLiteral Stem = "NOLINT";
  StringRef Text = Files.text(File);
  std::vector<NoLint> Found;
  size_t NoneClosesBefore = 0;
  for (size_t At = Text.find(Stem); At != StringRef::npos; At = Text.find(Stem, At)) {
    size_t Begin = At;
    StringRef Tail = Text.drop_front(At + Stem.size());
    StringRef Word = Text.substr(At, Stem.size() + Tail.take_while(isUpper).size());
    At += Word.size();
    if (!isNoLintWord(Word))
      continue;
    NoLint N{Word, std::nullopt, {}};
    if (StringRef Rest = Text.drop_front(At); Rest.starts_with("(")) {
      size_t Close = At < NoneClosesBefore ? StringRef::npos : Rest.find_first_of("\n)");
      if (Close != StringRef::npos && Rest[Close] == ')') {
        N.Checks = Rest.substr(1, Close - 1);
        At += Close + 1;
      } else if (At >= NoneClosesBefore) {
        NoneClosesBefore = Close == StringRef::npos ? Text.size() : At + Close;
      }
    }
    N.At = Files.placeAt(File, Begin, At - Begin);
    Found.push_back(N);
  }
  return Found;
}

/// Each "nolint(LIST)" that is not in capitals, as clang-tidy wants it, and names checks of
/// opsig's.
template <typename Report> void forEachSmallNoLint(StringRef Text, Report Found) {
  constexpr StringLiteral Stem = "NOLINT";
  for (size_t At = 0; (At = Text.find_insensitive(Stem, At)) != StringRef::npos;) {
    StringRef Rest = Text.drop_front(At);
    StringRef Word = Rest.take_while(isAlpha), List = Rest.drop_front(Word.size());
    StringRef Line = Rest.take_until([](char C) { return C == '\n'; });
    size_t Close = Line.find(')');
    if (Word != Word.upper() && isNoLintWord(Word.upper()) && List.starts_with("(") &&
        Close != StringRef::npos && Line.slice(Word.size(), Close).contains("opsig-"))
      Found(At, Word, Close + 1);
    At += Word.size();
  }
}

/// Without a list, or with one that names opsig, a comment is meant for it, too.
bool speaksOfOpsig(const NoLint &N) { return N.Checks && N.Checks->contains("opsig"); }

/// The names in a list, each without blanks.
std::vector<StringRef> namesIn(StringRef List) {
  std::vector<StringRef> Names;
  for (StringRef Name : split(List, ','))
    if (!Name.trim().empty())
      Names.push_back(Name.trim());
  return Names;
}

/// Some check is called "opsig-" and this.
bool isShortName(StringRef Name) { return !Name.contains('*') && findFindingId(Name).has_value(); }

} // namespace

/// What fixes are verified in: YAML files are not read again.
static bool canBeFixed(SourceId File, const SourceFiles &Files) {
  StringRef Extension = sys::path::extension(Files.name(File));
  return Extension != ".yaml" && Extension != ".yml";
}

/// Those of \p Names, which stand in a list of the kind \p Word, that are none of opsig's, and are
/// meant to be.
static void readNames(ArrayRef<StringRef> Names, StringRef Word, SourceId File,
                      const SourceFiles &Files, std::vector<SuppressingComments::Mistake> &Mistakes,
                      CheckGlobs &Meant) {
  for (StringRef Name : Names) {
    uint32_t Offset = Name.data() - Files.text(File).data();
    Place At = Files.placeAt(File, Offset, Name.size());
    if (isShortName(Name)) {
      Meant.append(("opsig-" + Name).str());
      Mistakes.push_back(
          {finding::SuppressionForm, At,
           formatv("'{0}' suppresses nothing in a '{1}' list; write 'opsig-{0}'", Name, Word)});
      if (canBeFixed(File, Files))
        Mistakes.back().Fixes = {{File, Offset, 0, "opsig-"}};
    } else if (Name.starts_with("opsig-") && !CheckGlobs(Name).unknown().empty()) {
      Mistakes.push_back({finding::UnknownSuppression, At,
                          "unknown check '" + Name.str() + "'" + didYouMeanCheck(Name)});
      Meant.append("*");
    }
  }
}

void SuppressingComments::readNoLints(SourceId File, const SourceFiles &Files) {
  std::vector<NoLint> Open, Lonely;
  forEachSmallNoLint(Files.text(File), [&](size_t At, StringRef Word, size_t Length) {
    Mistake M{finding::SuppressionForm, Files.placeAt(File, At, Length),
              formatv("'{0}' suppresses nothing; write '{1}'", Word, Word.upper())};
    if (canBeFixed(File, Files))
      M.Fixes = {{File, uint32_t(At), uint32_t(Word.size()), Word.upper()}};
    Mistakes.push_back(std::move(M));
  });
  for (const NoLint &N : noLintsOf(File, Files)) {
    CheckGlobs Checks(N.Checks.value_or("*")), MeantHere;
    if (N.Word != "NOLINTEND")
      readNames(namesIn(N.Checks.value_or("")), N.Word, File, Files, Mistakes, MeantHere);
    uint32_t Next = N.At.Line + (N.Word == "NOLINTNEXTLINE");
    Meant.push_back({Next, N.Word == "NOLINTBEGIN" ? ~0u : Next, MeantHere, N.At});
    if (N.Word == "NOLINT") {
      Ranges.push_back({N.At.Line, N.At.Line, Checks, N.At});
    } else if (N.Word == "NOLINTNEXTLINE") {
      Ranges.push_back({N.At.Line + 1, N.At.Line + 1, Checks, N.At});
    } else if (N.Word == "NOLINTBEGIN") {
      Open.push_back(N);
    } else if (!Open.empty() && Open.back().Checks == N.Checks) {
      // Only the innermost block can end, and only by a list that is spelled as at its begin.
      Ranges.push_back({Open.back().At.Line, N.At.Line, Checks, Open.back().At});
      Open.pop_back();
    } else {
      Lonely.push_back(N);
    }
  }
  Lonely.insert(Lonely.end(), Open.begin(), Open.end());
  for (const NoLint &N : Lonely)
    if (speaksOfOpsig(N))
      Mistakes.push_back(
          {finding::UnmatchedSuppression, N.At,
           formatv("this '{1}' suppresses nothing, because no '{0}' has the same list of checks",
                   N.Word == "NOLINTEND" ? "NOLINTBEGIN" : "NOLINTEND", N.Word)});
}

//===----------------------------------------------------------------------===//
// noqa
//===----------------------------------------------------------------------===//

void SuppressingComments::readNoQas(SourceId File, const SourceFiles &Files) {
  for (const NoQa &N : noQaComments(File, Files)) {
    CheckGlobs Checks, MeantHere;
    for (StringRef Name : N.Names)
      Checks.append(Name);
    if (!N.HasList)
      Checks.append("*");
    readNames(N.Names, "noqa", File, Files, Mistakes, MeantHere);
    Ranges.push_back({N.First, N.At.Line, Checks, N.At});
    Meant.push_back({N.First, N.At.Line, MeantHere, N.At});
  }
}

void SuppressingComments::readOtherToolsIgnores(SourceId File, const SourceFiles &Files) {
  for (const OtherToolsIgnore &I : otherToolsIgnores(File, Files)) {
    CheckGlobs MeantHere;
    size_t NumBefore = Mistakes.size();
    readNames(I.OwnNames, I.Verb, File, Files, Mistakes, MeantHere);
    if (Mistakes.size() == NumBefore) {
      std::string Right = "opsig: allow(" + join(I.OwnNames, ", ") + ")";
      for (StringRef Name : I.OwnNames)
        MeantHere.append(Name);
      Mistakes.push_back(
          {finding::SuppressionForm, I.At,
           formatv("'{0}' does not suppress opsig's findings; write '{1}'", I.Verb, Right)});
      // The other tool needs its own names.
      if (I.OwnNames.size() == I.Names.size())
        Mistakes.back().Fixes = {{File, uint32_t(Files.offsetOf(I.At)), I.At.Length, Right}};
    }
    Meant.push_back({I.First, I.At.Line, MeantHere, I.At});
  }
}

//===----------------------------------------------------------------------===//
// opsig: allow(...)
//===----------------------------------------------------------------------===//

void SuppressingComments::readAllows(SourceId File, const SourceFiles &Files) {
  OwnComments Own = allowComments(File, Files);
  for (const WrongAllow &W : Own.Wrong) {
    Mistake M{finding::SuppressionForm, W.At, W.Message};
    if (!W.Right.empty() && canBeFixed(File, Files))
      M.Fixes = {{File, uint32_t(Files.offsetOf(W.At)), W.At.Length, W.Right}};
    Mistakes.push_back(std::move(M));
    CheckGlobs Checks;
    for (StringRef Name : namesIn(W.List))
      Checks.append((Name.starts_with("opsig-") ? "" : "opsig-") + Name.str());
    // Without a name any check may be meant.
    if (W.Right.empty())
      Checks.append("*");
    Meant.push_back({W.First, W.Last, Checks, W.At});
  }
  for (const AllowComment &A : Own.Allows) {
    CheckGlobs Checks;
    size_t NumBefore = Mistakes.size();
    for (StringRef Rest = A.List; !Rest.empty();) {
      StringRef Name;
      size_t Column = A.ListAt.Column + (Rest.data() - A.List.data());
      std::tie(Name, Rest) = Rest.split(',');
      Column += Name.size() - Name.ltrim().size();
      Name = Name.trim();
      std::string Check = (Name.starts_with("opsig-") ? "" : "opsig-") + Name.str();
      if (Name.empty() || !CheckGlobs(Check).unknown().empty())
        Mistakes.push_back({finding::UnknownSuppression,
                            {File, A.ListAt.Line, uint32_t(Column), uint32_t(Name.size())},
                            "unknown check '" + Check + "'" + didYouMeanCheck(Check)});
      else
        Checks.append(Check);
    }
    Ranges.push_back({A.First, A.Last, Checks, A.At});
    // Which one a misspelt name stands for is not known.
    if (Mistakes.size() > NumBefore)
      Meant.push_back({A.First, A.Last, CheckGlobs("*"), A.At});
  }
}
