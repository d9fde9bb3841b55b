//===- CacheFolder.cpp - files that are written whole, and their number bounded -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cache/CacheInternal.h"

#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace llvm;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// In front of each file: the hash of the rest, blanks, a line end. What follows is aligned as the
/// AST of a prefix needs it.
static constexpr size_t HeadSize = 64, HashSize = 32;

std::string opsig::defaultReadingCache() {
  SmallString<256> Path;
  if (!path::cache_directory(Path) || !path::is_absolute(Path))
    return "";
  path::append(Path, "opsig", "readings");
  return std::string(Path);
}

/// pruneCache() takes files of this name alone.
std::string CacheFolder::pathOf(StringRef Name) const {
  SmallString<256> File(Path);
  path::append(File, "llvmcache-" + Name);
  return std::string(File);
}

std::unique_ptr<MemoryBuffer> CacheFolder::get(StringRef Name) const {
  if (!isOpen())
    return nullptr;
  // The time of its use is what it is kept for.
  auto File = fs::openNativeFileForRead(pathOf(Name), fs::OF_UpdateAtime);
  if (!File) {
    consumeError(File.takeError());
    return nullptr;
  }
  auto Entry = MemoryBuffer::getOpenFile(*File, Name, /*FileSize=*/-1,
                                         /*RequiresNullTerminator=*/false);
  fs::closeFile(*File);
  if (!Entry || (*Entry)->getBufferSize() < HeadSize)
    return nullptr;
  StringRef Head = (*Entry)->getBuffer().take_front(HeadSize);
  return Head.take_front(HashSize) == hashOf(textOf(**Entry)) ? std::move(*Entry) : nullptr;
}

StringRef CacheFolder::textOf(const MemoryBuffer &Entry) {
  return Entry.getBuffer().drop_front(HeadSize);
}

void CacheFolder::put(StringRef Name, StringRef Text) const {
  if (!isOpen() || fs::create_directories(Path, /*IgnoreExisting=*/true, fs::owner_all))
    return;
  // What a process leaves behind that is killed here is removed by pruneCache(), too.
  SmallString<256> Model(Path);
  path::append(Model, "Thin-%%%%%%%%.tmp.o");
  Expected<fs::TempFile> Temp = fs::TempFile::create(Model, fs::owner_read | fs::owner_write);
  if (!Temp) {
    consumeError(Temp.takeError());
    return;
  }
  bool Failed;
  {
    raw_fd_ostream OS(Temp->FD, /*shouldClose=*/false);
    OS << hashOf(Text) << std::string(HeadSize - HashSize - 1, ' ') << '\n' << Text;
    OS.flush();
    Failed = OS.has_error();
    OS.clear_error();
  }
  consumeError(Failed ? Temp->discard() : Temp->keep(pathOf(Name)));
}

void CacheFolder::prune() const {
  if (!isOpen())
    return;
  CachePruningPolicy Policy;
  Policy.Expiration = std::chrono::hours(14 * 24);
  Policy.MaxSizeBytes = 2ull << 30;
  pruneCache(Path, Policy);
}
