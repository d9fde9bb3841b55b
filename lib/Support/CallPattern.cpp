//===- CallPattern.cpp - What a call becomes, as rules of a table say it ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Support/CallPattern.h"

#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace opsig;
using llvm::StringRef;

static PatternPiece placeAt(StringRef &Rest) {
  if (Rest.consume_front("*"))
    return {PatternPiece::ArgumentsFrom, "", 1};
  unsigned Number = 0;
  if (Rest.consumeInteger(10, Number)) {
    PatternPiece Part{PatternPiece::Part, Rest.take_front()};
    Rest = Rest.drop_front(Part.Text.size());
    return Part;
  }
  return {Rest.consume_front("*") ? PatternPiece::ArgumentsFrom : PatternPiece::Argument, "",
          Number};
}

llvm::SmallVector<PatternPiece> opsig::patternPieces(StringRef Pattern) {
  llvm::SmallVector<PatternPiece> Out;
  while (!Pattern.empty()) {
    StringRef Words = Pattern.take_until([](char C) { return C == '$'; });
    Pattern = Pattern.drop_front(Words.size());
    if (!Words.empty())
      Out.push_back({PatternPiece::Words, Words});
    if (Pattern.consume_front("$"))
      Out.push_back(placeAt(Pattern));
  }
  return Out;
}

unsigned opsig::neededArguments(llvm::ArrayRef<PatternPiece> Pieces) {
  unsigned Needed = 0;
  for (const PatternPiece &P : Pieces)
    if (P.Is == PatternPiece::Argument || (P.Is == PatternPiece::ArgumentsFrom && P.Number > 1))
      Needed = std::max(Needed, P.Number);
  return Needed;
}
