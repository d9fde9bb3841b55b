//===- StagingInternal.h - The steps of StagedFiles --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text => part, written whole, with all that its target has besides bytes   (StagedPart.cpp)
//   => waits in a folder that this run alone has, with a locked journal     (StagingFolder.cpp)
//   => put in the place of its target, and taken back                       (FilePlacing.cpp)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_SUPPORT_STAGINGINTERNAL_H
#define OPSIG_LIB_SUPPORT_STAGINGINTERNAL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace opsig::staging {

std::error_code lastError();
llvm::Error cannotWrite(llvm::StringRef Path, std::error_code EC, const llvm::Twine &More = "");
llvm::Error changedMeanwhile(llvm::StringRef Path);
std::error_code writeAll(int FD, llvm::StringRef Text);

/// A file descriptor that is closed at the end, if not before.
class OpenFile {
public:
  explicit OpenFile(int FD) : FD(FD) {}
  OpenFile(const OpenFile &) = delete;
  OpenFile &operator=(const OpenFile &) = delete;
  ~OpenFile() { (void)close(); }
  int get() const { return FD; }
  bool isOpen() const { return FD != -1; }
  std::error_code close();

private:
  int FD;
};

/// A file that is edited: what it was when it was read.
struct EditedFile {
  std::string Before;
  std::string Text; ///< that shall stand there
  struct stat Status = {};
};

//===----------------------------------------------------------------------===//
// StagedPart.cpp
//===----------------------------------------------------------------------===//

/// Makes \p Name, which must not be there, with \p Text.
std::error_code writePart(const std::string &Name, llvm::StringRef Text,
                          std::optional<mode_t> Mode);

/// The same for an edited file: the part gets the owner, mode, ACL and extended attributes of
/// \p Target, and is on the disk when this returns. Fills \p Edit.Status. Fails where one of them
/// cannot be kept, where the user may not write \p Target, and where that no longer holds
/// \p Edit.Before. \p Path is how the caller calls it.
llvm::Error writeEditedPart(const std::string &Name, const std::string &Target,
                            llvm::StringRef Path, EditedFile &Edit);

/// Whether \p Name is a file that holds \p Text, and no program has it open to write there.
bool stillHolds(const std::string &Name, llvm::StringRef Text);

/// Makes what is in \p Folder last over a power cut.
std::error_code syncFolder(const std::string &Folder);

//===----------------------------------------------------------------------===//
// StagingFolder.cpp
//===----------------------------------------------------------------------===//

/// "FOLDER/.opsig-part-PID-N", which no other run and no other user gets at.
class StagingFolder {
public:
  static llvm::ErrorOr<std::unique_ptr<StagingFolder>> make(const std::string &Folder);
  StagingFolder(const StagingFolder &) = delete;
  StagingFolder &operator=(const StagingFolder &) = delete;
  /// Removes it and what is in it.
  ~StagingFolder();

  const std::string &path() const { return Path; }
  /// Where old files wait that could not be exchanged.
  std::string keptPath(llvm::StringRef Target);

  /// What the part called \p Name may hold from the commit on: a text of ours, or what was read.
  void record(llvm::StringRef Name, const EditedFile &Edit);
  /// Has to be called before the first file is put in its place.
  std::error_code writeJournal();
  /// Something in it could not be put back.
  void keep() { Keep = true; }

private:
  StagingFolder(std::string Path, int Journal) : Path(std::move(Path)), Journal(Journal) {}
  std::string Path;
  OpenFile Journal; ///< locked
  std::string Records;
  bool Keep = false;
};

/// Removes the staging folders in \p Folder whose runs are dead; those that hold something that no
/// run put there, and what only is called like one, stay and are named in \p Left.
void removeLeftOvers(const std::string &Folder, std::vector<std::string> &Left);

//===----------------------------------------------------------------------===//
// FilePlacing.cpp
//===----------------------------------------------------------------------===//

struct Part {
  std::string Name;
  std::string Target; ///< the file a link leads to, not the link
  std::string Path;   ///< as the caller calls it
  StagingFolder *In = nullptr;
  /// Null for what was generated.
  std::shared_ptr<EditedFile> Edit;
};

/// Puts parts in their places, one after the other, and can take all of them back.
class FilePlacing {
public:
  /// Fails with "cannot write ..." or "... was changed by another program during this run".
  llvm::Error place(const Part &P);
  /// A new folder, file by file where another program has made that folder since.
  llvm::Error placeTree(const std::string &From, const std::string &To, StagingFolder *In);
  /// Returns what could not be taken back, one sentence each.
  std::vector<std::string> revert();

private:
  enum class How { Exchanged, Moved, Replaced };
  struct Step {
    How Is;
    Part Of;
    std::string Kept; ///< of Replaced
  };
  std::error_code placeNew(const Part &P, bool &Placed);
  llvm::Error exchange(const Part &P, bool &Placed);
  llvm::Error replace(const Part &P);
  std::error_code revert(const Step &S);

  std::vector<Step> Steps;
};

} // namespace opsig::staging

#endif
