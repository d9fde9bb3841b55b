//===- CacheKey.cpp - the secret that entries of a cache are made with -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// $OPSIG_CACHE_KEY | a file of the user's own, made once => key, name, text => seal of an entry
//
//===----------------------------------------------------------------------===//

#include "Cache/CacheInternal.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace opsig;
using namespace llvm;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static constexpr size_t KeyBytes = 32, KeySize = 2 * KeyBytes;

/// The key in \p File, if only this user can have written it, and nobody else can read it.
static std::string readKey(const std::string &File) {
  int FD = ::open(File.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (FD < 0)
    return "";
  struct stat Status;
  char Text[KeySize];
  bool IsOwn = ::fstat(FD, &Status) == 0 && S_ISREG(Status.st_mode) &&
               Status.st_uid == ::geteuid() && (Status.st_mode & 077) == 0;
  bool IsWhole = IsOwn && ::read(FD, Text, KeySize) == ssize_t(KeySize);
  ::close(FD);
  return IsWhole ? std::string(Text, KeySize) : "";
}

/// Makes \p File with a new key, unless another run does so first.
static void makeKey(const std::string &File) {
  uint8_t Bytes[KeyBytes];
  if (::getrandom(Bytes, KeyBytes, 0) != ssize_t(KeyBytes))
    return;
  Expected<fs::TempFile> Temp =
      fs::TempFile::create(File + "-%%%%%%%%", fs::owner_read | fs::owner_write);
  if (!Temp) {
    consumeError(Temp.takeError());
    return;
  }
  std::string Text = toHex(ArrayRef<uint8_t>(Bytes, KeyBytes));
  if (::write(Temp->FD, Text.data(), Text.size()) == ssize_t(Text.size()))
    (void)::link(Temp->TmpName.c_str(), File.c_str()); // fails where there is one
  consumeError(Temp->discard());
}

CacheKey CacheKey::ofUser() {
  if (const char *Stated = std::getenv("OPSIG_CACHE_KEY"); Stated && *Stated)
    return {Stated, /*IsShared=*/true};
  SmallString<256> Folder;
  if (!path::user_config_directory(Folder) || !path::is_absolute(Folder))
    return {};
  path::append(Folder, "opsig");
  std::string File = (Folder + "/cache-key").str();
  std::string Key = readKey(File);
  if (Key.empty() && !fs::exists(File) &&
      !fs::create_directories(Folder, /*IgnoreExisting=*/true, fs::owner_all)) {
    makeKey(File);
    Key = readKey(File);
  }
  return {std::move(Key), /*IsShared=*/false};
}

std::string CacheKey::seal(StringRef Name, StringRef Text) const {
  BLAKE3 Hash;
  for (StringRef Part : {StringRef(Secret), Name}) {
    Hash.update((Twine(Part.size()) + ":").str());
    Hash.update(Part);
  }
  Hash.update(Text);
  return toHex(Hash.final<16>(), /*LowerCase=*/true);
}
