//===- DiffWords.cpp - Which words of two lines differ ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diff/DiffWords.h"
#include "llvm/ADT/StringExtras.h"

namespace opsig {

using Words = std::vector<llvm::StringRef>;

/// Names and numbers are whole words, everything else is one character each.
static Words wordsOf(llvm::StringRef Line) {
  Words Out;
  auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_' || C == ':'; };
  while (!Line.empty()) {
    size_t Length = std::max<size_t>(1, Line.take_while(IsWord).size());
    Out.push_back(Line.take_front(Length));
    Line = Line.drop_front(Length);
  }
  return Out;
}

/// Longest common subsequences of the ends of both: [I][J] is that of From from I and To from J.
static std::vector<std::vector<unsigned>> commonLengths(const Words &From, const Words &To) {
  std::vector<std::vector<unsigned>> Out(From.size() + 1, std::vector<unsigned>(To.size() + 1, 0));
  for (size_t I = From.size(); I-- > 0;)
    for (size_t J = To.size(); J-- > 0;)
      Out[I][J] = From[I] == To[J] ? Out[I + 1][J + 1] + 1 : std::max(Out[I + 1][J], Out[I][J + 1]);
  return Out;
}

/// Adjacent words of one kind are one part.
static void add(std::vector<DiffWord> &To, llvm::StringRef Word, bool Changed) {
  if (!To.empty() && To.back().Changed == Changed)
    To.back().Text = llvm::StringRef(To.back().Text.data(), To.back().Text.size() + Word.size());
  else
    To.push_back({Word, Changed});
}

std::pair<std::vector<DiffWord>, std::vector<DiffWord>> changedWords(llvm::StringRef From,
                                                                     llvm::StringRef To) {
  std::pair<std::vector<DiffWord>, std::vector<DiffWord>> Out;
  Words Old = wordsOf(From), New = wordsOf(To);
  constexpr size_t LongestLine = 2000;
  bool IsWhole = Old.empty() || New.empty() || Old.size() > LongestLine || New.size() > LongestLine;
  if (IsWhole) {
    for (llvm::StringRef Word : Old)
      add(Out.first, Word, false);
    for (llvm::StringRef Word : New)
      add(Out.second, Word, false);
    return Out;
  }
  std::vector<std::vector<unsigned>> Common = commonLengths(Old, New);
  size_t I = 0, J = 0;
  while (I < Old.size() || J < New.size()) {
    if (I < Old.size() && J < New.size() && Old[I] == New[J]) {
      add(Out.first, Old[I++], false);
      add(Out.second, New[J++], false);
    } else if (J == New.size() || (I < Old.size() && Common[I + 1][J] >= Common[I][J + 1])) {
      add(Out.first, Old[I++], true);
    } else {
      add(Out.second, New[J++], true);
    }
  }
  return Out;
}

} // namespace opsig
