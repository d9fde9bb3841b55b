//===- NearNames.h - What was meant, among many names -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_SUPPORT_NEARNAMES_H
#define OPSIG_SUPPORT_NEARNAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace opsig {

/// didYouMean() for a list of names that many others are compared with.
///
/// Comparing all with all takes a time that is the product of their numbers, so there is an end to
/// it: who has thousands of names wrong gets suggestions for the first of them.
class NearNames {
public:
  /// Enough for a thousand wrong names among the operators of a release of PyTorch.
  static constexpr size_t DefaultComparisons = 3'000'000;

  explicit NearNames(std::vector<llvm::StringRef> Candidates,
                     size_t Comparisons = DefaultComparisons)
      : Candidates(std::move(Candidates)), ComparisonsLeft(Comparisons) {}

  /// "; did you mean 'X'?", or nothing: no candidate is near, or exhausted().
  std::string didYouMean(llvm::StringRef Name);
  bool exhausted() const { return ComparisonsLeft < Candidates.size(); }

private:
  std::vector<llvm::StringRef> Candidates;
  size_t ComparisonsLeft;
};

} // namespace opsig

#endif
