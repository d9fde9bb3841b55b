//===- StagedFiles.h - New texts that wait beside the files they replace ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// (path, text)* from any thread => parts in "FOLDER/.opsig-part-*", where the bytes of the file
// differ
//   => commit: each changes places with its file; one that cannot: all change back
//   => parts, or the old files, removed
//
// What goes into a folder that does not exist yet waits in a new folder, which is moved as a whole:
// there the files appear all at once.
//
// A file is at any time whole, the old one or the new one. An interrupt (SIGINT, SIGTERM, SIGHUP)
// that comes before commit() changes nothing, one that comes during it waits until all is done.
// Only what no program can hold off (SIGKILL, a crash) leaves ".opsig-part-*" folders, and new
// files beside old ones; the next run removes the former and completes the latter. Files that are
// edited are on the disk before they get their names, so that the same holds for them after a power
// cut; of generated ones, which can be generated again, no such thing is said.
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
  /// Holds interrupts off, also in threads that are started from here on.
  StagedFiles();
  StagedFiles(const StagedFiles &) = delete;
  StagedFiles &operator=(const StagedFiles &) = delete;
  /// Removes what was not committed and lets interrupts through again.
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

  /// Removes what dead runs left beside \p Path, and beside the file that it leads to.
  void cleanBeside(llvm::StringRef Path);

  /// Puts every staged file in its place: new folders, then files, each in alphabetical order.
  /// Returns how many there were. Where one cannot be put there, none is: "cannot write 'PATH':
  /// reason; no file was changed". Nothing more can be done then but to destroy this.
  llvm::Expected<unsigned> commit();

  /// What stands in the folders and looks as if a run had left it, but is not known to be opsig's:
  /// a sentence each.
  const std::vector<std::string> &left() const;

private:
  struct Impl;
  std::unique_ptr<Impl> TheImpl;
};

} // namespace opsig

#endif
