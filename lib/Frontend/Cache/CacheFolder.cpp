//===- CacheFolder.cpp - files that are written whole, and their number bounded -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cache/CacheInternal.h"
#include "opsig/Frontend/ReadingCache.h"
#include "opsig/Support/LinkGuard.h"

#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace opsig;
using namespace llvm;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// In front of each file: the seal of the rest (CacheKey), blanks, a line end. What follows is
/// aligned as the AST of a prefix needs it.
static constexpr size_t HeadSize = 64, HashSize = 32;

std::string opsig::defaultReadingCache() {
  SmallString<256> Path;
  if (!path::cache_directory(Path) || !path::is_absolute(Path))
    return "";
  path::append(Path, "opsig", "readings");
  return std::string(Path);
}

/// Whether others than this user can put files into \p Folder, or have made it.
static std::string whyForeign(const std::string &Folder) {
  struct stat Status;
  if (::stat(Folder.c_str(), &Status) != 0)
    return "";
  if (!S_ISDIR(Status.st_mode))
    return "'" + Folder + "' is not a folder";
  if (Status.st_uid != ::geteuid())
    return "'" + Folder + "' belongs to another user";
  if ((Status.st_mode & (S_IWGRP | S_IWOTH)) && ::chmod(Folder.c_str(), S_IRWXU) != 0)
    return "other users can write to '" + Folder + "'";
  return "";
}

CacheFolder::CacheFolder(std::string Expected, bool IsReadOnly)
    : Path(std::move(Expected)), IsReadOnly(IsReadOnly) {
  if (Path.empty())
    return;
  Key = CacheKey::ofUser();
  if (Key.Secret.empty())
    Problem = "the cache has no key, because 'opsig/cache-key' cannot be written to the user's "
              "configuration folder and OPSIG_CACHE_KEY is not set";
  else if (Error E = checkLinksBeforeWriting(Path))
    Problem = toString(std::move(E));
  else if (!Key.IsShared)
    Problem = whyForeign(Path);
  if (!Problem.empty())
    Path.clear();
}

std::string CacheFolder::pathOf(StringRef Name) const {
  SmallString<256> File(Path);
  path::append(File, CacheFilePrefix + Name);
  return std::string(File);
}

/// A file that this user has written; -1 for what is none.
int CacheFolder::openEntry(StringRef Name) const {
  int File = ::open(pathOf(Name).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat Status;
  if (File < 0 || (::fstat(File, &Status) == 0 && S_ISREG(Status.st_mode) &&
                   (Key.IsShared || Status.st_uid == ::geteuid())))
    return File;
  ::close(File);
  return -1;
}

std::unique_ptr<MemoryBuffer> CacheFolder::get(StringRef Name) const {
  int File = isOpen() ? openEntry(Name) : -1;
  if (File < 0)
    return nullptr;
  // The time of its use is what it is kept for.
  const timespec Times[] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  if (!IsReadOnly)
    (void)::futimens(File, Times);
  auto Entry = MemoryBuffer::getOpenFile(File, Name, /*FileSize=*/-1,
                                         /*RequiresNullTerminator=*/false);
  ::close(File);
  if (!Entry || (*Entry)->getBufferSize() < HeadSize)
    return nullptr;
  return sealOf(**Entry) == Key.seal(Name, textOf(**Entry)) ? std::move(*Entry) : nullptr;
}

StringRef CacheFolder::textOf(const MemoryBuffer &Entry) {
  return Entry.getBuffer().drop_front(HeadSize);
}

StringRef CacheFolder::sealOf(const MemoryBuffer &Entry) {
  return Entry.getBuffer().take_front(HashSize);
}

std::string CacheFolder::put(StringRef Name, StringRef Text) const {
  if (!isOpen() || IsReadOnly ||
      fs::create_directories(Path, /*IgnoreExisting=*/true, fs::owner_all))
    return "";
  std::string Seal = Key.seal(Name, Text);
  // What a process leaves behind that is killed here is removed by pruneCache(), too.
  SmallString<256> Model(Path);
  path::append(Model, "Thin-%%%%%%%%.tmp.o");
  Expected<fs::TempFile> Temp = fs::TempFile::create(Model, fs::owner_read | fs::owner_write);
  if (!Temp) {
    consumeError(Temp.takeError());
    return Seal;
  }
  bool Failed;
  {
    raw_fd_ostream OS(Temp->FD, /*shouldClose=*/false);
    OS << Seal << std::string(HeadSize - HashSize - 1, ' ') << '\n' << Text;
    OS.flush();
    Failed = OS.has_error();
    OS.clear_error();
  }
  consumeError(Failed ? Temp->discard() : Temp->keep(pathOf(Name)));
  return Seal;
}

void CacheFolder::prune() const {
  if (!isOpen() || IsReadOnly)
    return;
  // pruneCache() writes this file, wherever a link in its place leads.
  std::string Stamp = Path + "/" + CacheStamp.str();
  struct stat Status;
  if (::lstat(Stamp.c_str(), &Status) == 0 && !S_ISREG(Status.st_mode) &&
      ::unlink(Stamp.c_str()) != 0)
    return;
  CachePruningPolicy Policy;
  Policy.Expiration = std::chrono::hours(14 * 24);
  Policy.MaxSizeBytes = 2ull << 30;
  pruneCache(Path, Policy);
}
