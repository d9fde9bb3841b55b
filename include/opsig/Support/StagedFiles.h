//===- StagedFiles.h - New texts that wait beside the files they replace ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// (path, text)* from any thread => "PATH.opsig-part", where the bytes of PATH differ
//   => commit: all of them renamed | not committed: all of them removed
//
// What goes into a folder that does not exist yet waits in "FOLDER.opsig-part", which is renamed as
// a whole: there the files appear all at once.
//
// A file is at any time whole, the old one or the new one. An interrupt (SIGINT, SIGTERM, SIGHUP)
// that comes before commit() changes nothing, one that comes during it waits until all is done.
// Only what no program can hold off (SIGKILL, a crash, a power cut) leaves ".opsig-part" files, and
// new files beside old ones; the next run takes the former over and completes the latter.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_STAGEDFILES_H
#define OPSIG_SUPPORT_STAGEDFILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace opsig {

class StagedFiles {
public:
  /// Holds interrupts off, also in threads that are started from here on.
  StagedFiles();
  StagedFiles(const StagedFiles &) = delete;
  StagedFiles &operator=(const StagedFiles &) = delete;
  /// Removes what was not committed and lets interrupts through again.
  ~StagedFiles();

  /// Plans \p Text as the contents of \p Path; missing folders are made. A path can be staged once.
  /// Fails with "cannot write 'PATH': reason", or because of an interrupt. Thread-safe.
  llvm::Error stage(llvm::StringRef Path, llvm::StringRef Text);

  /// Puts every staged file in its place: new folders, then files, each in alphabetical order.
  /// Returns how many there were. Fails
  /// with "cannot write 'PATH': reason", how many files before it are new and how many are as they
  /// were; nothing more can be done then but to destroy this.
  llvm::Expected<unsigned> commit();

private:
  struct Impl;
  std::unique_ptr<Impl> TheImpl;
};

} // namespace opsig

#endif
