//===- StagedPart.cpp - New texts with all that their files have -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StagingInternal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <csignal>
#include <fcntl.h>
#include <sys/xattr.h>
#include <unistd.h>

using namespace llvm;
using namespace opsig;
using namespace opsig::staging;

std::error_code staging::lastError() { return std::error_code(errno, std::generic_category()); }

Error staging::cannotWrite(StringRef Path, std::error_code EC, const Twine &More) {
  return createStringError(EC, "cannot write '" + Path + "': " + EC.message() + More);
}

Error staging::changedMeanwhile(StringRef Path) {
  return createStringError("'" + Path + "' was changed by another program during this run");
}

std::error_code OpenFile::close() {
  if (!isOpen())
    return {};
  // Also after an error it is closed.
  return ::close(std::exchange(FD, -1)) == 0 ? std::error_code() : lastError();
}

/// System calls and nothing else: with thousands of small files LLVM's streams cost half as much
/// again.
std::error_code staging::writeAll(int FD, StringRef Text) {
  while (!Text.empty()) {
    ssize_t Written = ::write(FD, Text.data(), Text.size());
    if (Written < 0 && errno != EINTR)
      return lastError();
    if (Written > 0)
      Text = Text.drop_front(Written);
  }
  return {};
}

static int createPart(const std::string &Name) {
  return ::open(Name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

std::error_code staging::writePart(const std::string &Name, StringRef Text,
                                   std::optional<mode_t> Mode) {
  OpenFile File(createPart(Name));
  if (!File.isOpen())
    return lastError();
  if (Mode && ::fchmod(File.get(), *Mode) != 0)
    return lastError();
  if (std::error_code EC = writeAll(File.get(), Text))
    return EC;
  // Some file systems tell only now that there is no room.
  return File.close();
}

namespace {

bool readsAs(int FD, StringRef Text) {
  char Bytes[65536];
  off_t At = 0;
  while (true) {
    ssize_t Read = ::pread(FD, Bytes, sizeof(Bytes), At);
    if (Read < 0 && errno == EINTR)
      continue;
    if (Read <= 0)
      return Read == 0 && size_t(At) == Text.size();
    if (Text.substr(At, Read) != StringRef(Bytes, Read))
      return false;
    At += Read;
  }
}

/// Of two stats, what a rewritten file has to keep.
bool sameOwnerAndMode(const struct stat &L, const struct stat &R) {
  return L.st_uid == R.st_uid && L.st_gid == R.st_gid && L.st_mode == R.st_mode;
}

bool isUnsupported(int Error) { return Error == ENOTSUP || Error == ENOSYS; }

/// The names of all extended attributes that this user sees; an ACL is one of them.
std::error_code listAttributes(int FD, std::vector<std::string> &Names) {
  while (true) {
    ssize_t Size = ::flistxattr(FD, nullptr, 0);
    std::string List(std::max<ssize_t>(Size, 0), '\0');
    if (Size > 0)
      Size = ::flistxattr(FD, List.data(), List.size());
    if (Size < 0 && errno == ERANGE)
      continue; // it has grown
    if (Size < 0)
      return isUnsupported(errno) ? std::error_code() : lastError();
    for (StringRef Rest(List.data(), Size); !Rest.empty();) {
      auto [Name, Others] = Rest.split('\0');
      Names.push_back(Name.str());
      Rest = Others;
    }
    return {};
  }
}

std::optional<std::string> attribute(int FD, const std::string &Name) {
  while (true) {
    ssize_t Size = ::fgetxattr(FD, Name.c_str(), nullptr, 0);
    std::string Value(std::max<ssize_t>(Size, 0), '\0');
    if (Size > 0)
      Size = ::fgetxattr(FD, Name.c_str(), Value.data(), Value.size());
    if (Size < 0 && errno == ERANGE)
      continue;
    if (Size < 0)
      return std::nullopt;
    Value.resize(Size);
    return Value;
  }
}

Error cannotKeep(StringRef What, StringRef Path, std::error_code EC) {
  return createStringError(EC, "cannot keep " + What + " of '" + Path + "': " + EC.message());
}

Error copyAttributes(int From, int To, StringRef Path) {
  std::vector<std::string> Expected, There;
  std::error_code EC = listAttributes(From, Expected);
  if (!EC)
    EC = listAttributes(To, There);
  if (EC)
    return cannotKeep("the extended attributes", Path, EC);
  // A folder gives its files ACLs.
  for (const std::string &Name : There)
    if (!is_contained(Expected, Name) && ::fremovexattr(To, Name.c_str()) != 0)
      return cannotKeep("the extended attributes", Path, lastError());
  for (const std::string &Name : Expected) {
    std::optional<std::string> Value = attribute(From, Name);
    if (!Value)
      return cannotKeep("the extended attribute '" + Name + "'", Path, lastError());
    if (attribute(To, Name) != Value &&
        ::fsetxattr(To, Name.c_str(), Value->data(), Value->size(), 0) != 0)
      return cannotKeep("the extended attribute '" + Name + "'", Path, lastError());
  }
  return Error::success();
}

/// The mode last: a new owner takes bits of it away, an ACL is in part a mode.
Error copyMetadata(int From, const struct stat &Status, int To, StringRef Path) {
  struct stat Part;
  if (::fstat(To, &Part) != 0)
    return cannotWrite(Path, lastError());
  if ((Part.st_uid != Status.st_uid || Part.st_gid != Status.st_gid) &&
      ::fchown(To, Status.st_uid, Status.st_gid) != 0)
    return cannotKeep("the owner", Path, lastError());
  if (Error E = copyAttributes(From, To, Path))
    return E;
  if (::fchmod(To, Status.st_mode & 07777) != 0)
    return cannotKeep("the mode", Path, lastError());
  if (::fstat(To, &Part) != 0 || !sameOwnerAndMode(Part, Status))
    return cannotKeep("owner and mode", Path, std::make_error_code(std::errc::not_supported));
  return Error::success();
}

/// Whether a file that this user may not write stands at \p Target. What its owner protected from
/// changes stays also where the user is root.
Error checkWritable(const std::string &Target, const struct stat &Status, StringRef Path) {
  if (!(Status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)))
    return createStringError("'" + Path + "' is read-only");
  if (::faccessat(AT_FDCWD, Target.c_str(), W_OK, AT_EACCESS) != 0)
    return cannotWrite(Path, lastError());
  return Error::success();
}

/// Whether some program has the file open to write there. Where that cannot be told it is not so.
bool isBeingWritten(int FD) {
  // Whoever opens it while the lease holds waits; the signal that tells of it is one that nobody
  // minds.
  ::fcntl(FD, F_SETSIG, SIGURG);
  if (::fcntl(FD, F_SETLEASE, F_RDLCK) == 0) {
    ::fcntl(FD, F_SETLEASE, F_UNLCK);
    return false;
  }
  return errno == EAGAIN;
}

} // namespace

bool staging::stillHolds(const std::string &Name, StringRef Text) {
  // Something else may stand there by now.
  OpenFile File(::open(Name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat Status;
  return File.isOpen() && ::fstat(File.get(), &Status) == 0 && S_ISREG(Status.st_mode) &&
         !isBeingWritten(File.get()) && readsAs(File.get(), Text);
}

Error staging::writeEditedPart(const std::string &Name, const std::string &Target, StringRef Path,
                               EditedFile &Edit) {
  OpenFile Old(::open(Target.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!Old.isOpen())
    return errno == ENOENT ? changedMeanwhile(Path) : cannotWrite(Path, lastError());
  if (::fstat(Old.get(), &Edit.Status) != 0)
    return cannotWrite(Path, lastError());
  if (!S_ISREG(Edit.Status.st_mode) || !readsAs(Old.get(), Edit.Before))
    return changedMeanwhile(Path);
  if (Error E = checkWritable(Target, Edit.Status, Path))
    return E;
  OpenFile New(createPart(Name));
  if (!New.isOpen())
    return cannotWrite(Path, lastError());
  if (std::error_code EC = writeAll(New.get(), Edit.Text))
    return cannotWrite(Path, EC);
  if (Error E = copyMetadata(Old.get(), Edit.Status, New.get(), Path))
    return E;
  if (::fsync(New.get()) != 0)
    return cannotWrite(Path, lastError());
  if (std::error_code EC = New.close())
    return cannotWrite(Path, EC);
  return Error::success();
}

std::error_code staging::syncFolder(const std::string &Folder) {
  OpenFile File(::open(Folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!File.isOpen() || ::fsync(File.get()) != 0)
    // Some file systems cannot.
    return errno == EINVAL ? std::error_code() : lastError();
  return File.close();
}
