//===- StagingFolder.cpp - Where parts wait, and what dead runs left ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder is of this run if its journal is there, begins as one and is locked by it. What a run
// leaves that was killed:
//   nothing but an empty folder or journal | parts of which the journal says nothing: all is ours
//   parts of which it has hashes: ours where a hash fits; any other text came from somebody who
//     saved between reading and exchanging, and nobody else has it
//
//===----------------------------------------------------------------------===//
#include "StagingInternal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace llvm;
using namespace opsig;
using namespace opsig::staging;
namespace fs = llvm::sys::fs;

static constexpr StringLiteral Prefix = ".opsig-part-", JournalName = ".opsig-journal",
                               KeptName = ".opsig-kept", Magic = "opsig staging 1\n";

static std::string hashOf(StringRef Text) { return utohexstr(xxh3_64bits(Text), true, 16); }

ErrorOr<std::unique_ptr<StagingFolder>> StagingFolder::make(const std::string &Folder) {
  std::string Stem = Folder + "/" + Prefix.str() + std::to_string(::getpid()) + "-";
  for (unsigned N = 0;; ++N) {
    std::string Path = Stem + std::to_string(N);
    if (::mkdir(Path.c_str(), 0700) != 0) {
      if (errno != EEXIST)
        return lastError();
      continue;
    }
    std::string Name = Path + "/" + JournalName.str();
    int FD = ::open(Name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    std::error_code Why = FD == -1 ? lastError() : std::error_code();
    std::unique_ptr<StagingFolder> Made(new StagingFolder(Path, FD));
    // Another run takes a folder for a dead run's as long as nobody has locked its journal.
    if (FD == -1 && Why == std::errc::no_such_file_or_directory)
      continue;
    if (FD == -1)
      return Why;
    bool Locked = ::flock(FD, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    struct stat Status;
    if (!Locked || (::fstat(FD, &Status) == 0 && Status.st_nlink == 0)) {
      Made->Keep = true;
      continue;
    }
    if (std::error_code EC = writeAll(FD, Magic))
      return EC;
    return Made;
  }
}

StagingFolder::~StagingFolder() {
  if (Keep)
    return;
  std::error_code EC;
  bool All = true;
  for (fs::directory_iterator It(Path, EC, /*follow_symlinks=*/false), End; !EC && It != End;
       It.increment(EC)) {
    if (sys::path::filename(It->path()) == JournalName)
      continue;
    bool IsFolder = It->type() == fs::file_type::directory_file;
    All &= IsFolder ? !fs::remove_directories(It->path(), /*IgnoreErrors=*/false)
                    : ::unlink(It->path().c_str()) == 0;
  }
  // Without it nobody would know whose the rest is.
  if (!All)
    return;
  ::unlink((Path + "/" + JournalName).str().c_str());
  ::rmdir(Path.c_str());
}

std::string StagingFolder::keptPath(StringRef Target) {
  std::string Folder = (Path + "/" + KeptName).str();
  ::mkdir(Folder.c_str(), 0700); // What goes wrong here shows when it is used.
  return (Folder + "/" + sys::path::filename(Target)).str();
}

void StagingFolder::record(StringRef Name, const EditedFile &Edit) {
  Records +=
      hashOf(Edit.Text) + " " + hashOf(Edit.Before) + " " + toHex(sys::path::filename(Name)) + "\n";
}

std::error_code StagingFolder::writeJournal() {
  if (Records.empty())
    return {};
  if (std::error_code EC = writeAll(Journal.get(), Records))
    return EC;
  if (::fsync(Journal.get()) != 0)
    return lastError();
  return syncFolder(Path);
}

namespace {

/// What is left of a run.
class LeftOver {
public:
  explicit LeftOver(std::string Path) : Path(std::move(Path)) {}
  /// Returns why it was left; "" where it was removed or is a living run's.
  std::string remove();

private:
  bool readRecords(StringRef Text);
  bool isOurs(const std::string &File) const;
  /// Removes the files of \p Folder that are ours; false if others are there.
  bool removeFiles(const std::string &Folder);

  std::string Path;
  StringMap<std::pair<std::string, std::string>> Records;
};

std::string contentsOf(int FD) {
  std::string Text;
  char Bytes[16384];
  for (ssize_t Read; (Read = ::read(FD, Bytes, sizeof(Bytes))) > 0;)
    Text.append(Bytes, Read);
  return Text;
}

bool LeftOver::readRecords(StringRef Text) {
  // A run that was killed while it wrote the first line had nothing else.
  if (!Text.consume_front(Magic))
    return Magic.starts_with(Text);
  while (Text.contains('\n')) {
    auto [Line, Rest] = Text.split('\n');
    auto [New, OldAndName] = Line.split(' ');
    auto [Old, Name] = OldAndName.split(' ');
    std::string File;
    if (!tryGetFromHex(Name, File))
      return false;
    Records[File] = {New.str(), Old.str()};
    Text = Rest;
  }
  return true;
}

bool LeftOver::isOurs(const std::string &File) const {
  auto It = Records.find(sys::path::filename(File));
  if (It == Records.end())
    return true;
  auto Text = MemoryBuffer::getFile(File, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!Text)
    return false;
  std::string Hash = hashOf((*Text)->getBuffer());
  return Hash == It->second.first || Hash == It->second.second;
}

bool LeftOver::removeFiles(const std::string &Folder) {
  bool All = true;
  std::error_code EC;
  for (fs::directory_iterator It(Folder, EC, /*follow_symlinks=*/false), End; !EC && It != End;
       It.increment(EC)) {
    std::string Name = It->path();
    StringRef Base = sys::path::filename(Name);
    if (Base == JournalName)
      continue;
    if (It->type() == fs::file_type::directory_file) {
      // A new tree, which is moved as a whole, or the old files.
      bool Removed = Base == KeptName ? removeFiles(Name) : !fs::remove_directories(Name);
      All &= Removed;
      if (Removed)
        ::rmdir(Name.c_str());
    } else if (It->type() != fs::file_type::regular_file || !isOurs(Name) ||
               ::unlink(Name.c_str()) != 0) {
      All = false;
    }
  }
  return All && !EC;
}

std::string LeftOver::remove() {
  struct stat Status;
  if (::lstat(Path.c_str(), &Status) != 0)
    return "";
  std::string Stranger =
      "'" + Path +
      "' has the name of an opsig folder but does not belong to opsig; it is not removed";
  if (!S_ISDIR(Status.st_mode) || Status.st_uid != ::geteuid())
    return Stranger;
  std::string Name = (Path + "/" + JournalName).str();
  OpenFile Journal(::open(Name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!Journal.isOpen())
    // Empty, where a run was killed right away. Anything else has no journal for a reason.
    return ::rmdir(Path.c_str()) == 0 || errno == ENOENT ? "" : Stranger;
  constexpr off_t Largest = 64 << 20;
  if (::fstat(Journal.get(), &Status) != 0 || !S_ISREG(Status.st_mode) || Status.st_size > Largest)
    return Stranger;
  if (::flock(Journal.get(), LOCK_EX | LOCK_NB) != 0)
    return "";
  if (!readRecords(contentsOf(Journal.get())))
    return Stranger;
  if (!removeFiles(Path))
    return "'" + Path +
           "' was left by a killed run and contains files that were changed afterwards; it is not "
           "removed";
  ::unlink(Name.c_str());
  ::rmdir(Path.c_str());
  return "";
}

} // namespace

void staging::removeLeftOvers(const std::string &Folder, std::vector<std::string> &Left) {
  std::error_code EC;
  for (fs::directory_iterator It(Folder, EC, /*follow_symlinks=*/false), End; !EC && It != End;
       It.increment(EC))
    if (sys::path::filename(It->path()).starts_with(Prefix))
      if (std::string Why = LeftOver(It->path()).remove(); !Why.empty())
        Left.push_back(std::move(Why));
}
