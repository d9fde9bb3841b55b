//===- CallPattern.h - What a call becomes, as rules of a table say it --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "f($1, g($2*))" => words and places to be filled => the text, or the edit, of who has the call
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_CALLPATTERN_H
#define OPSIG_SUPPORT_CALLPATTERN_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace opsig {

struct PatternPiece {
  enum Kind : uint8_t {
    Words,         ///< Text, as it is
    Argument,      ///< "$2": the one of that Number, counted from 1
    ArgumentsFrom, ///< "$2*": this and all behind it; "$*": all
    Part,          ///< "$x": what Text, a letter or ".", stands for in that table
  } Is = Words;
  llvm::StringRef Text;
  unsigned Number = 0;
};

/// The pieces of \p Pattern, in order.
llvm::SmallVector<PatternPiece> patternPieces(llvm::StringRef Pattern);

/// How many arguments a call needs for \p Pieces. With ArgumentsFrom it may have more.
unsigned neededArguments(llvm::ArrayRef<PatternPiece> Pieces);

} // namespace opsig

#endif
