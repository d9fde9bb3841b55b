//===- UpgradeCheck.h - What a new release asks of kernels that are there ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UnitFacts* x checks by both releases x ReleaseDiff
//   => findings that only the new release has, kernels of operators that it lacks
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CHECK_UPGRADECHECK_H
#define OPSIG_CHECK_UPGRADECHECK_H

#include "opsig/Check/Project.h"
#include "opsig/ReleaseDiff/ReleaseDiff.h"
#include "opsig/Report/SiftFindings.h"

namespace opsig {

/// One release's view of the sources.
struct ReleaseCheck {
  const ProjectChecker &Checker;
  SourceFiles &Files;
};

/// A kernel whose operator the new release does not have, or has under another name.
struct OrphanedKernel {
  Place At; ///< in the old release's Files
  std::string Kernel;
  const NativeFunction *Function; ///< of the old release
};

struct UpgradeFindings {
  /// Places are in the new release's Files; with fixes, sorted.
  Findings Changed;
  std::vector<OrphanedKernel> Orphaned; ///< sorted by place
  /// Operators with kernels that were compared with the old release.
  size_t Compared = 0;
};

/// \p Units are read as the new release's checker wants it, with the scopes of both. \p Filter says
/// which findings are wanted.
UpgradeFindings checkUpgrade(llvm::ArrayRef<UnitFacts> Units, Scope Of, const ReleaseDiff &Diff,
                             ReleaseCheck Old, ReleaseCheck New, const FindingFilter &Filter);

} // namespace opsig

#endif
