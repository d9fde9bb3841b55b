//===- FileTrace.h - What a reading asked of the file system ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// a reading's questions => FileTrace { path: absent | folder | file | hash of its text } => text
//   => (later, FileStates) would they all be answered in the same way?
//
// Files that were looked for and not found belong to it: one that appears in a folder that is
// searched earlier changes what a header's name means.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_PARSE_FILETRACE_H
#define OPSIG_LIB_FRONTEND_PARSE_FILETRACE_H

#include "Parse/MovablePaths.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem/UniqueID.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace llvm::vfs {
class FileSystem;
class Status;
} // namespace llvm::vfs

namespace opsig {

/// In hexadecimal.
std::string hashOf(llvm::StringRef Text);

/// What paths are now. Each file is read and hashed once, whoever asks. Thread-safe.
class FileStates {
public:
  enum Kind : char { Absent = '-', Folder = 'd', File = 'f', Other = 'o' };

  FileStates() = default;
  explicit FileStates(MovablePaths Paths) : Paths(std::move(Paths)) {}
  /// How traces name files.
  const MovablePaths &paths() const { return Paths; }

  Kind kindOf(llvm::StringRef Path);
  /// "" for what is no file that can be read.
  std::string textHash(llvm::StringRef Path);
  /// Of the names in a folder.
  std::string listingHash(llvm::StringRef Path);
  /// The same as textHash(), of a file that has just been read.
  std::string recordText(const llvm::vfs::Status &Status, llvm::StringRef Text);

private:
  /// A file as it was at one time.
  using Version = std::tuple<llvm::sys::fs::UniqueID, int64_t, uint64_t>;
  static Version versionOf(const llvm::vfs::Status &Status);

  MovablePaths Paths;
  std::mutex Mutex;
  llvm::StringMap<Kind> Kinds;
  llvm::StringMap<std::string> Texts, Listings;
  std::map<Version, std::string> Hashes;
};

class FileTrace {
public:
  explicit FileTrace(FileStates &States) : States(States) {}

  void recordKind(llvm::StringRef Path, FileStates::Kind Is);
  void recordText(llvm::StringRef Path, const llvm::vfs::Status &Status, llvm::StringRef Text);
  /// That \p Path is there stays in it, its text does not.
  void forgetText(llvm::StringRef Path);
  void recordListing(llvm::StringRef Path, llvm::StringRef Hash);
  /// Adds what another reading asked, which this one relies on, as write() made it. \p Text has to
  /// live as long.
  void add(llvm::StringRef Text) { Others = Text; }

  /// The files whose texts were read, absolute, sorted.
  std::vector<std::string> files() const;
  /// The same of what write() made of a trace.
  static std::vector<std::string> filesOf(llvm::StringRef Text, const FileStates &States);

  /// A file changed while it was read: the trace describes nothing that ever was.
  bool torn() const { return Torn; }
  using Question = std::function<bool(llvm::StringRef)>;
  /// \p IsProjectFile, which may be empty, is asked of each file again when the trace is used.
  void write(llvm::raw_ostream &OS, const Question &IsProjectFile) const;
  /// Whether the trace that write() made of \p Text would be made again.
  static bool holds(llvm::StringRef Text, FileStates &States, const Question &IsProjectFile);

private:
  struct Answers {
    char Is = 0;
    std::string TextHash, ListingHash;
  };
  Answers &of(llvm::StringRef Path);

  FileStates &States;
  std::map<std::string, Answers, std::less<>> All;
  llvm::StringRef Others;
  bool Torn = false;
};

/// \p Base, whose answers go to \p Trace.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
traced(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Base, FileTrace &Trace);

} // namespace opsig

#endif
