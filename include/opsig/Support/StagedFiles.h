//===- StagedFiles.h - New texts that wait beside the files they replace ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// (path, text)* from any thread => parts in "FOLDER/.opsig-part-*", if the bytes of the file differ
//     => commit: each part is exchanged with its file; if one fails, all are exchanged back
//     => parts, or the old files, are removed
//
// What goes into a folder that does not exist yet waits in a new folder, which is moved as a whole:
// there the files appear all at once.
//
// Every file is complete at any time, either the old one or the new one. An interrupt (SIGINT,
// SIGTERM, SIGHUP) before commit() changes nothing; during commit() it is delayed until all files
// are done. Only what a program cannot delay (SIGKILL, a crash) leaves ".opsig-part-*" folders and
// new files beside old ones; the next run removes the former and completes the latter. Edited files
// are on disk before they are renamed, so they also survive a power cut. Generated files, which can
// be generated again, have no such guarantee.
//
// An edited file is one that was read: what came out of its place is compared with that, and goes
// back where somebody has saved something else meanwhile. It keeps its owner, mode, ACL, extended
// attributes and hard links.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_STAGEDFILES_H
#define OPSIG_SUPPORT_STAGEDFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace opsig {

class StagedFiles {
public:
  /// Delays interrupts, also in threads that are started from here on.
  StagedFiles();
  StagedFiles(const StagedFiles &) = delete;
  StagedFiles &operator=(const StagedFiles &) = delete;
  /// Removes what was not committed and delivers interrupts again.
  ~StagedFiles();

  /// Plans \p Text as the contents of \p Path; missing folders are made. A path can be staged once.
  /// Fails with "cannot write 'PATH': reason", or because of an interrupt. Thread-safe.
  llvm::Error stage(llvm::StringRef Path, llvm::StringRef Text);

  /// Plans \p Text for the file \p Path, which was read as \p Before. \p KnownNames are all files
  /// that the caller knows: where \p Path has other names (hard links) they have to be among them,
  /// and keep naming the same file. Fails where that is not so, where somebody has changed the
  /// file, where the user may not, and where something of it besides its text would be lost; every
  /// message says that no file was changed.
  llvm::Error edit(llvm::StringRef Path, llvm::StringRef Before, llvm::StringRef Text,
                   llvm::ArrayRef<std::string> KnownNames);

  /// Removes what interrupted runs left beside \p Path, and beside the file that it links to.
  void cleanBeside(llvm::StringRef Path);

  /// Puts every staged file in its place: new folders, then files, each in alphabetical order.
  /// Returns how many there were. Where one cannot be put there, none is: "cannot write 'PATH':
  /// reason; no file was changed". Nothing more can be done then but to destroy this.
  llvm::Expected<unsigned> commit();

  /// Leftovers in these folders that look like opsig's but are not known to be: a sentence for
  /// each.
  const std::vector<std::string> &left() const;

private:
  struct Impl;
  std::unique_ptr<Impl> TheImpl;
};

} // namespace opsig

#endif
