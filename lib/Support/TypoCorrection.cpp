//===- TypoCorrection.cpp - Which name was meant ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/TypoCorrection.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace opsig {
namespace {

/// Whether at most \p Most typos make one of the other.
bool isWithin(StringRef L, StringRef R, unsigned Most) {
  if (std::max(L.size(), R.size()) - std::min(L.size(), R.size()) > Most)
    return false;
  size_t Same = 0;
  while (Same < std::min(L.size(), R.size()) && L[Same] == R[Same])
    ++Same;
  L = L.drop_front(Same);
  R = R.drop_front(Same);
  if (L.empty() || R.empty())
    return true; // the rest is at most as long as Most
  if (Most == 0)
    return false;
  bool IsSwap = L.size() > 1 && R.size() > 1 && L[0] == R[1] && L[1] == R[0];
  return (IsSwap && isWithin(L.drop_front(2), R.drop_front(2), Most - 1)) ||
         isWithin(L.drop_front(), R.drop_front(), Most - 1) ||
         isWithin(L.drop_front(), R, Most - 1) || isWithin(L, R.drop_front(), Most - 1);
}

std::optional<unsigned> distance(StringRef L, StringRef R, unsigned Most) {
  for (unsigned Count = 0; Count <= Most; ++Count)
    if (isWithin(L, R, Count))
      return Count;
  return std::nullopt;
}

/// What the longer one has in front of, or behind, the shorter one.
struct Affix {
  StringRef Front, End;
};

Affix affixOf(StringRef L, StringRef R) {
  if (L.size() < R.size())
    std::swap(L, R);
  Affix Out;
  if (L.size() != R.size() && L.ends_with(R))
    Out.Front = L.drop_back(R.size());
  if (L.size() != R.size() && L.starts_with(R))
    Out.End = L.drop_front(R.size());
  return Out;
}

bool isWholeWord(const Affix &A) { return A.Front.ends_with("_") || A.End.starts_with("_"); }

std::string withoutDigits(StringRef Name) {
  std::string Out = Name.str();
  llvm::erase_if(Out, llvm::isDigit);
  return Out;
}

/// One word of a name that has several.
std::optional<unsigned> countTyposInWord(StringRef Written, StringRef Meant) {
  constexpr size_t LongWord = 8, ShortWord = 2;
  if (Written == Meant)
    return 0;
  if (withoutDigits(Written) == withoutDigits(Meant))
    return std::nullopt;
  // A letter in front says which operator of a family it is, unless it is there twice.
  StringRef Front = affixOf(Written, Meant).Front;
  StringRef Shorter = Written.size() < Meant.size() ? Written : Meant;
  bool IsTwice = Front.size() == 1 && Shorter.starts_with(Front);
  if (!Front.empty() && !IsTwice)
    return std::nullopt;
  size_t Length = std::max(Written.size(), Meant.size());
  std::optional<unsigned> Count = distance(Written, Meant, Length < LongWord ? 1 : 2);
  // Of two letters one other makes another word: "mm", "mv".
  bool IsSwap =
      Written.size() == 2 && Meant.size() == 2 && Written[0] == Meant[1] && Written[1] == Meant[0];
  return Count && *Count < Written.size() && (Length > ShortWord || IsSwap) ? Count : std::nullopt;
}

} // namespace

std::optional<unsigned> countTypos(StringRef Written, StringRef Meant) {
  constexpr size_t LongName = 6;
  if (Written.empty() || Written == Meant)
    return std::nullopt;
  if (Written.equals_insensitive(Meant))
    return 0;
  Affix A = affixOf(Written, Meant);
  if (isWholeWord(A))
    return std::nullopt;
  size_t Length = std::max(Written.size(), Meant.size());
  std::optional<unsigned> Count = distance(Written, Meant, Length < LongName ? 1 : 2);
  return Count && *Count < Written.size() ? Count : std::nullopt;
}

std::optional<unsigned> countTyposByWord(StringRef Written, StringRef Meant) {
  constexpr unsigned MostTypos = 2;
  if (Written.empty() || Written == Meant)
    return std::nullopt;
  if (Written.equals_insensitive(Meant))
    return 0;
  llvm::SmallVector<StringRef, 8> Words, OfMeant;
  Written.split(Words, '_');
  Meant.split(OfMeant, '_');
  bool SameEnds =
      Written.size() - Written.ltrim('_').size() == Meant.size() - Meant.ltrim('_').size() &&
      Written.size() - Written.rtrim('_').size() == Meant.size() - Meant.rtrim('_').size();
  if (!SameEnds)
    return std::nullopt;
  if (Words.size() != OfMeant.size()) {
    // "log_softmax" for "logsoftmax" is a typo; "log_softmax" for "softmax" is none.
    bool SameLetters = llvm::join(Words, "") == llvm::join(OfMeant, "");
    bool IsOne =
        std::max(Words.size(), OfMeant.size()) - std::min(Words.size(), OfMeant.size()) == 1;
    return SameLetters && IsOne ? std::optional(1U) : std::nullopt;
  }
  unsigned Sum = 0;
  for (auto [Word, Other] : llvm::zip_equal(Words, OfMeant)) {
    std::optional<unsigned> Count = countTyposInWord(Word, Other);
    if (!Count || Word.empty() != Other.empty())
      return std::nullopt;
    Sum += *Count;
  }
  return Sum <= MostTypos ? std::optional(Sum) : std::nullopt;
}

std::optional<Correction> correctName(StringRef Written, llvm::ArrayRef<StringRef> Known) {
  std::optional<Correction> Best;
  unsigned Fewest = 0;
  for (StringRef Name : Known) {
    std::optional<unsigned> Count = countTypos(Written, Name);
    if (!Count || (Best && (*Count > Fewest || Best->Name == Name)))
      continue;
    if (Best && *Count == Fewest) {
      Best->IsUnique = false;
      continue;
    }
    Best = {Name.str()};
    Fewest = *Count;
  }
  return Best;
}

std::string onlyCorrection(StringRef Written, llvm::ArrayRef<StringRef> Known) {
  std::optional<Correction> Best = correctName(Written, Known);
  return Best && Best->IsUnique ? Best->Name : "";
}

std::optional<std::string> nearest(StringRef Name, llvm::ArrayRef<StringRef> Candidates) {
  std::optional<Correction> Best = correctName(Name, Candidates);
  return Best ? std::optional(Best->Name) : std::nullopt;
}

std::string didYouMean(StringRef Name, llvm::ArrayRef<StringRef> Candidates) {
  std::optional<std::string> Best = nearest(Name, Candidates);
  return Best ? "; did you mean '" + *Best + "'?" : std::string();
}

std::string didYouMeanOneOf(StringRef Written, llvm::ArrayRef<StringRef> Known, size_t Most,
                            StringRef Lead) {
  std::string Near = didYouMean(Written, Known);
  if (!Near.empty() || Known.empty() || Known.size() > Most)
    return Near;
  return ("; " + Lead + " '" + llvm::join(Known, "', '") + "'").str();
}

} // namespace opsig
