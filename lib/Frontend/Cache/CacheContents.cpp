//===- CacheContents.cpp - What a cache of readings holds -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/CacheInternal.h"
#include "opsig/Frontend/ReadingCache.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace llvm;
namespace fs = llvm::sys::fs;

/// What the file of that name in a cache holds: "facts"; "" for files of others.
static StringRef kindOf(StringRef Name) {
  if (Name == CacheStamp)
    return "stamp";
  if (!Name.consume_front(CacheFilePrefix))
    return "";
  auto [Kind, Key] = Name.rsplit('-');
  bool IsKey = !Key.empty() && Key.find_first_not_of("0123456789abcdef") == StringRef::npos;
  return IsKey ? Kind : "";
}

static Error forEachEntry(const std::string &Folder,
                          function_ref<Error(StringRef Kind, const std::string &Path)> Do) {
  std::error_code Why;
  if (!fs::exists(Folder))
    return Error::success();
  for (fs::directory_iterator At(Folder, Why, /*follow_symlinks=*/false), End; At != End && !Why;
       At.increment(Why))
    if (StringRef Kind = kindOf(sys::path::filename(At->path())); !Kind.empty())
      if (Error E = Do(Kind, At->path()))
        return E;
  if (Why)
    return createStringError(Why, "cannot read the folder '" + Folder + "': " + Why.message());
  return Error::success();
}

static void count(CacheContents &Into, StringRef Kind, const std::string &Path) {
  fs::file_status Status;
  if (Kind == "stamp" || fs::status(Path, Status, /*follow=*/false))
    return;
  CacheContents::Kind &Of = Into.Kinds[Kind.str()];
  ++Of.Files;
  Of.Bytes += Status.getSize();
}

CacheContents::Kind CacheContents::total() const {
  Kind All;
  for (const auto &[Name, Of] : Kinds) {
    All.Files += Of.Files;
    All.Bytes += Of.Bytes;
  }
  return All;
}

Expected<CacheContents> opsig::cacheContents(const std::string &Folder) {
  CacheContents Out;
  if (Error E = forEachEntry(Folder, [&](StringRef Kind, const std::string &Path) {
        count(Out, Kind, Path);
        return Error::success();
      }))
    return std::move(E);
  return Out;
}

Expected<CacheContents> opsig::clearCache(const std::string &Folder) {
  CacheContents Out;
  if (Error E = forEachEntry(Folder, [&](StringRef Kind, const std::string &Path) -> Error {
        count(Out, Kind, Path);
        if (std::error_code Why = fs::remove(Path))
          return createStringError(Why, "cannot remove '" + Path + "': " + Why.message());
        return Error::success();
      }))
    return std::move(E);
  return Out;
}
