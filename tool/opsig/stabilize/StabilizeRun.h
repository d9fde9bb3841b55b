//===- StabilizeRun.h - Files moved to the stable ABI, in memory ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// files => units with the API that they use => plans (Check/Stable.h) => edits
// (Rewrite/Stabilize.h)
//   => read again as code of the stable ABI alone: edits that bring errors are taken back
//   => new texts, what is left
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_STABILIZE_STABILIZERUN_H
#define OPSIG_TOOL_STABILIZE_STABILIZERUN_H

#include "check/CheckSetup.h"
#include "check/FixVerifier.h"
#include "opsig/StableAbi/Stabilize.h"

namespace opsig {

struct StabilizeRequest {
  std::optional<llvm::VersionTuple> Target; ///< nothing: the lowest that suffices
  bool Partial = false;                     ///< files that were read in part are edited, too
  bool KeepBoth = false;                    ///< old lines stay, under a macro
  /// Flags of other builds of the same files, each read besides.
  std::vector<std::vector<std::string>> Also;
};

/// What Clang says of the new texts, of no edit that could be taken back.
struct LeftError {
  Place At; ///< in the files as they are
  std::string Text;
};

struct StabilizeOutcome {
  std::unique_ptr<SourceFiles> Files = std::make_unique<SourceFiles>();
  std::unique_ptr<StableEdits> Edits;
  /// Of each file, then of each file as the next build has it.
  std::vector<UnitFacts> Units;
  /// Of files that change.
  std::vector<EditedFileText> Texts;
  std::vector<LeftError> Errors;
  llvm::VersionTuple Target;
  bool UsesCuda = false;
  std::unique_ptr<ReadLog> Read = std::make_unique<ReadLog>();
};

/// Prints to standard error which files cannot be read, or only in part. Fails where nothing can be
/// rewritten.
llvm::Expected<StabilizeOutcome> runStabilize(const CheckSetup &Setup,
                                              const StabilizeRequest &Request);

/// "0x020a000000000000" as TORCH_TARGET_VERSION has it.
std::string targetNumber(const llvm::VersionTuple &Target);

} // namespace opsig

#endif
