//===- OperatorSuggestion.h - Which operator was meant -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "add.Tensr" x names of operators => OperatorSuggestion { what is wrong, likely names }
//
// If an operator exists, only its overloads are suggested, never another operator. Another operator
// is suggested only for a typo (Support/TypoCorrection.h).
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_OPERATORS_OPERATORSUGGESTION_H
#define OPSIG_OPERATORS_OPERATORSUGGESTION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace opsig {

struct OperatorSuggestion {
  enum Kind : uint8_t {
    None,
    Overload, ///< the operator exists, but has no overload of that name
    Spelling, ///< the same operator, written as C++ does or with another namespace
    Typo,     ///< another operator, whose name is nearly the same
  } Is = None;
  /// "add.Tensor", as known; the likeliest first.
  std::vector<std::string> Names;
  /// The first one is likelier than the others.
  bool HasBest = false;
  /// Nor is there anything against it: its overload is written with a typo.
  bool IsTypoOfOverload = false;

  explicit operator bool() const { return Is != None; }
  /// "; did you mean 'add.Tensor'?", "; its overloads are 'add.Tensor', 'add.out'", or nothing.
  std::string text() const;
};

/// The possible names of operators, and suggestions for an unknown name.
///
/// Comparing all with all takes a time that is the product of their numbers, so there is an end to
/// it: who has thousands of names wrong gets suggestions of other operators for the first of them.
class OperatorNameIndex {
public:
  /// Enough for a thousand wrong names among the operators of a release of PyTorch.
  static constexpr size_t DefaultComparisons = 3'000'000;

  /// \p Names: "add.out", or "ns::add.out". They have to live as long.
  explicit OperatorNameIndex(llvm::ArrayRef<llvm::StringRef> Names,
                             size_t Comparisons = DefaultComparisons);

  /// \p Fits says whether the kernel at hand has the type of an operator; it is asked only for
  /// overloads of one operator.
  OperatorSuggestion suggest(
      llvm::StringRef Written,
      llvm::function_ref<bool(llvm::StringRef)> Fits = [](llvm::StringRef) { return false; });
  /// suggest(Written).text()
  std::string didYouMean(llvm::StringRef Written) { return suggest(Written).text(); }
  /// "ns::add" is the name of an operator, whatever its overloads are.
  bool hasOperator(llvm::StringRef Base) const { return Overloads.contains(Base); }

private:
  OperatorSuggestion overloadsOf(llvm::StringRef Base, llvm::StringRef Overload,
                                 llvm::function_ref<bool(llvm::StringRef)> Fits) const;
  OperatorSuggestion otherSpelling(llvm::StringRef Written,
                                   llvm::function_ref<bool(llvm::StringRef)> Fits) const;
  bool has(llvm::StringRef Name) const;

  /// By the name without overload; in the order of the names.
  llvm::StringMap<std::vector<llvm::StringRef>> Overloads;
  std::vector<llvm::StringRef> Bases;
  size_t ComparisonsLeft;
};

/// "ns::add" and "out" of "ns::add.out".
std::pair<llvm::StringRef, llvm::StringRef> splitOverload(llvm::StringRef Operator);

} // namespace opsig

#endif
