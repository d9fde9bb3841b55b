//===- SinceRun.h - One run of opsig diff --since, without its printing ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REV | REV..REV2 => (git) revisions laid out in folders, or the working tree
//   => FILEs read there => DefinedOperators x 2 => ProjectDiff (lib/ReleaseDiff)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_SINCERUN_H
#define OPSIG_TOOL_SINCERUN_H

#include "check/ProjectUnits.h"
#include "opsig/ReleaseDiff/ProjectDiff.h"

namespace opsig {

struct SinceRequest {
  std::string Revisions;    ///< "v1.0", "v1.0..v1.1"
  CheckArguments Arguments; ///< the FILEs and what is behind "--"
  bool Verbose = false;
};

/// The project at one point of its history.
struct SinceSide {
  std::string Name; ///< "v1.0", "the working tree"
  std::string Commit;
  /// The files that the operators' places are in, by the names that the user gave.
  std::unique_ptr<LoadedSchemas> Schemas;
  std::unique_ptr<SourceFiles> Files;
  ProjectOperators Ops;
  bool Lost = false; ///< not all files could be read

  /// "v1.0 (1a2b3c4d)".
  std::string shown() const;
};

struct SinceOutcome {
  SinceSide Old, New;
  ProjectDiff Diff;
};

/// Prints to standard error what could not be read on either side. Fails where one of them cannot
/// be had at all.
llvm::Expected<std::unique_ptr<SinceOutcome>> runSince(const SinceRequest &Request,
                                                       const SchemaOptions &Schema,
                                                       CheckOptions &Options,
                                                       const ReadingOptions &Reading);

} // namespace opsig

#endif
