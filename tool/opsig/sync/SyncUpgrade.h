//===- SyncUpgrade.h - A backend's YAML from one release to another ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// YAML x (old release, new release) => YAML without what is gone => LoadedSchemas of the new one
//   => what the backend may want to list besides
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_SYNCUPGRADE_H
#define OPSIG_TOOL_SYNCUPGRADE_H

#include "sync/SyncRun.h"
#include "opsig/ReleaseDiff/BackendDiff.h"
#include "opsig/Workspace/ReleaseInput.h"

namespace opsig {

struct UpgradeRequest {
  ReleaseInput From;         ///< the release that the files are of
  bool PruneRemoved = false; ///< entries of operators that are gone since may be taken out
  bool Verbose = false;
};

/// An entry of a backend's YAML whose operator only the old release has.
struct GoneEntry {
  std::string Operator;
  Place At; ///< in SchemaUpgrade::AsOnDisk
};

struct SchemaUpgrade {
  LoadedRelease Old;
  /// Of the new release, with the backends as their edited YAML has them.
  SchemasOfRun New;
  /// The same before the edits; null where there are none.
  SchemasOfRun AsOnDisk;
  ReleaseDiff Diff;
  /// What was taken out, and the YAML files that change for it.
  std::vector<GoneEntry> Gone;
  std::map<std::string, SyncedFile> Yaml;
};

/// Reads both releases and the backends of \p Source. Null where something is wrong with any of
/// them, which is printed to standard error then; fails where one cannot be read.
llvm::Expected<std::unique_ptr<SchemaUpgrade>> loadUpgrade(const SchemaSource &Source,
                                                           const UpgradeRequest &Request);

/// What was taken out of the YAML; what the backend does not list and nobody serves any more, or
/// yet, as lines for its YAML.
void printUpgrade(llvm::raw_ostream &OS, const SchemaUpgrade &Upgrade);

} // namespace opsig

#endif
