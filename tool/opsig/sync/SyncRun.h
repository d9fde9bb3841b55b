//===- SyncRun.h - Rewrites files until nothing is left to be rewritten ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// files => units => findings, missing pieces (Rewrite/Sync.h) => new texts => read again ...
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_SYNCRUN_H
#define OPSIG_TOOL_SYNCRUN_H

#include "check/CheckSetup.h"
#include "opsig/Edit/Format.h"
#include "opsig/Edit/Sync.h"
#include "opsig/Support/ReadTexts.h"
#include <map>

namespace opsig {

/// A file that changes.
struct SyncedFile {
  std::string Before;
  EditedText Now;
};

/// An edit that was taken back.
struct RefusedEdit {
  Place At; ///< in Refused files, as they are
  std::string Why;
};

struct SyncOutcome {
  /// By the names that the user gave. The texts are not written yet.
  std::map<std::string, SyncedFile> Files;
  /// How many of each kind of edit were made.
  std::map<SyncEdit::Kind, unsigned> Counts;
  /// What is wrong with the new texts, and the files that it points into.
  SiftedFindings Left;
  std::unique_ptr<SourceFiles> Sources;
  size_t NumKernels = 0; ///< that were compared
  std::vector<RefusedEdit> Refused;
  std::unique_ptr<SourceFiles> SourcesBefore;
  /// What was read from disk.
  std::unique_ptr<ReadTexts> Read = std::make_unique<ReadTexts>();
};

/// Reads the inputs, edits them in memory, and reads them again, until there is nothing to edit.
/// Edits with which Clang has errors that it did not have are taken back. Prints to standard error
/// which files cannot be read, or only in part. Fails where one cannot be read, and where the edits
/// do not come to an end.
llvm::Expected<SyncOutcome> runSync(const CheckSetup &Setup, const LoadedSchemas &Schemas);

} // namespace opsig

#endif
