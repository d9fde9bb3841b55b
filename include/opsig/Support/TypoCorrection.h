//===- TypoCorrection.h - Which name was meant -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wrong name x known names => the one that was meant (nearest() and didYouMean() of Diagnostic.h,
//   which use this measure; names of operators: Operators/OperatorSuggestion.h)
//
// A typo is a letter too many, missing or wrong, or two letters in the other order. A difference
// that has a meaning of its own is none: `logical_xor` is not a typo of `bitwise_xor`, nor `add_`
// of `add`.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_TYPOCORRECTION_H
#define OPSIG_SUPPORT_TYPOCORRECTION_H

#include "opsig/Support/Finding.h"
#include <string>

namespace opsig {

/// The number of typos that make \p Written of \p Meant; 0 if only upper and lower case differ.
/// Nothing where another name is meant: more than one typo in a short name, more than two in any,
/// a word or '_' at either end that the other lacks.
std::optional<unsigned> countTypos(llvm::StringRef Written, llvm::StringRef Meant);

/// The same for names that are families of words, as those of operators and kernels are: each word
/// is compared by itself. Other digits, another first letter in front ("sub", "rsub") and a word
/// more or less make another name.
std::optional<unsigned> countTyposByWord(llvm::StringRef Written, llvm::StringRef Meant);

/// A known name that was likely meant.
struct Correction {
  std::string Name;
  /// No other known name is as near.
  bool IsUnique = true;
};

/// The known name with the fewest typos, the first one of several.
std::optional<Correction> correctName(llvm::StringRef Written,
                                      llvm::ArrayRef<llvm::StringRef> Known);

/// The name that can be written in place of \p Written, "" where several or none may be meant.
std::string onlyCorrection(llvm::StringRef Written, llvm::ArrayRef<llvm::StringRef> Known);

} // namespace opsig

#endif
