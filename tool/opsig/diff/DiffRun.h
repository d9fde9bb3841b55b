//===- DiffRun.h - One run of opsig diff, without its printing --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OLD, NEW => LoadedRelease x 2 => ReleaseDiff, BackendDiff* (lib/ReleaseDiff)
//   + FILEs => UpgradeFindings (Check/UpgradeCheck.h) => DiffOutcome
//   => DiffReport: sections for people => text | Markdown | HTML; or the data themselves as JSON
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_DIFFRUN_H
#define OPSIG_TOOL_DIFFRUN_H

#include "check/CheckSetup.h"
#include "opsig/Check/UpgradeCheck.h"
#include "opsig/ReleaseDiff/BackendDiff.h"
#include "opsig/Upgrade/Upgrade.h"
#include "opsig/Workspace/ReleaseInput.h"

namespace opsig {

struct DiffRequest {
  ReleaseInput Old, New;
  std::vector<std::string> Backends;
  CheckArguments Arguments; ///< the FILEs and what is behind "--"
  bool Verbose = false;
};

struct DiffOutcome {
  LoadedRelease Old, New;
  ReleaseDiff Release;
  /// One for each backend, in the order of the command line.
  std::vector<BackendDiff> Backends;
  /// The same backends in the new release.
  std::vector<ExternalBackend> NewBackends;
  /// Where FILEs were given, with the files that findings point into.
  std::optional<UpgradeFindings> Kernels;
  std::unique_ptr<SourceFiles> OldFiles, NewFiles;
  /// What they use of C++ API that NEW lacks or marks as deprecated; places are in OldFiles.
  std::vector<UpgradeEdit> Upgrades;
};

/// Prints to standard error what is wrong in both releases' files, and what a user should know of
/// how they were read. Fails where one of the inputs cannot be used: the reason is said then, in
/// the error or before.
llvm::Expected<std::unique_ptr<DiffOutcome>> runDiff(const DiffRequest &Request,
                                                     const CheckOptions &Options);

} // namespace opsig

#endif
