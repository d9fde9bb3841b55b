//===- TypoCorrection.h - Which name was meant -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wrong name x known names => the one that was meant (nearest() and didYouMean() of Finding.h,
//   which use this measure; names of operators: Operators/OperatorSuggestion.h)
//
// A typo is an extra, missing or wrong letter, or two letters in the wrong order. A difference with
// a meaning of its own is not a typo: `logical_xor` is not a typo of `bitwise_xor`, and `add_` is
// not one of `add`.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_TYPOCORRECTION_H
#define OPSIG_SUPPORT_TYPOCORRECTION_H

#include "opsig/Support/Finding.h"
#include <string>

namespace opsig {

/// The number of typos between \p Meant and \p Written; 0 if only upper and lower case differ.
/// Nothing if \p Written is a different name: more than one typo in a short name, more than two in
/// any name, or a word or '_' at one end that the other lacks.
std::optional<unsigned> countTypos(llvm::StringRef Written, llvm::StringRef Meant);

/// The same for names made of words, such as those of operators and kernels: words are compared one
/// by one. Different digits, a different first letter ("sub", "rsub") and an added or missing word
/// make a different name.
std::optional<unsigned> countTyposByWord(llvm::StringRef Written, llvm::StringRef Meant);

/// A known name that was probably meant.
struct Correction {
  std::string Name;
  /// No other known name is equally similar.
  bool IsUnique = true;
};

/// The known name with the fewest typos; the first one if there are several.
std::optional<Correction> correctName(llvm::StringRef Written,
                                      llvm::ArrayRef<llvm::StringRef> Known);

/// The name to write instead of \p Written; "" if several or none are possible.
std::string onlyCorrection(llvm::StringRef Written, llvm::ArrayRef<llvm::StringRef> Known);

/// didYouMean(); where no known name is similar, and there are at most \p Most of them, all known
/// names behind \p Lead: "; its parameters are 'x', 'y'".
std::string didYouMeanOneOf(llvm::StringRef Written, llvm::ArrayRef<llvm::StringRef> Known,
                            size_t Most, llvm::StringRef Lead);

} // namespace opsig

#endif
