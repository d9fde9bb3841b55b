//===- AtenRun.h - Families of gen aten, side by side -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// families x AtenInput => (threads) texts => StagedFiles
//
// A text is staged by the thread that made it, out of a buffer that is used again and again: memory
// that was used before is faster than new memory.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_ATENRUN_H
#define OPSIG_TOOL_ATENRUN_H

#include "gen/AtenFamilies.h"
#include "gen/AtenLists.h"
#include "gen/Stamp.h"
#include "opsig/Support/StagedFiles.h"

namespace opsig {

/// Where the texts go.
struct AtenOutput {
  AtenFolders Folders;
  /// Null where nothing is to be written.
  StagedFiles *Staged;
  Stamp &TheStamp;
};

/// Generates and stages the files of \p Families, with up to \p Threads at a time (0: as many as
/// there are processors). Returns where all files are from and go, and \p Diags gets all
/// diagnostics, both in the order of the families whatever the threads do. Fails where a file
/// cannot be staged.
llvm::Expected<std::vector<FileSpec>> stageFamilies(llvm::ArrayRef<AtenFamily> Families,
                                                    const AtenInput &In, const AtenOutput &Output,
                                                    unsigned Threads, Findings &Diags);

} // namespace opsig

#endif
