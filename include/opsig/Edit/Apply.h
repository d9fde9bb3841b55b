//===- Apply.h - Fixes => changed files --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostic* => their Fixes, identical ones once, conflicting ones refused => new texts
// (OutputTree)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDIT_APPLY_H
#define OPSIG_EDIT_APPLY_H

#include "opsig/Support/Finding.h"
#include "opsig/Support/OutputTree.h"

namespace opsig {

struct AppliedFixes {
  /// The new text of every file that some fix changes, in order of their first fix.
  OutputTree Files;
  /// Indices of diagnostics: whose fixes went in, and whose were refused because they overlap
  /// others or are no place of their file. Diagnostics without fixes are in neither.
  std::vector<size_t> Applied;
  std::vector<size_t> Refused;
};

/// Applies all fixes of a diagnostic or none of them; of two that conflict, the earlier one wins.
/// Writes nothing: that is what AppliedFixes::Files.commit() does.
AppliedFixes applyFixes(llvm::ArrayRef<Finding> Hits, const SourceFiles &Files);

} // namespace opsig

#endif
