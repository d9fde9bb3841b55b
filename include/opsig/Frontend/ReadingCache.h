//===- ReadingCache.h - The folder in which readings are kept ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_FRONTEND_READINGCACHE_H
#define OPSIG_FRONTEND_READINGCACHE_H

#include "llvm/Support/Error.h"
#include <map>
#include <string>

namespace opsig {

/// Where readings are kept if nobody says otherwise; "" where there is no such place.
std::string defaultReadingCache();

struct CacheContents {
  struct Kind {
    size_t Files = 0;
    uint64_t Bytes = 0;
  };
  /// By what the files hold: "facts", "ast", ...
  std::map<std::string, Kind> Kinds;

  Kind total() const;
};

/// What the cache in \p Folder holds; nothing if there is no such folder. Other files are not
/// counted. Fails if the folder cannot be read.
llvm::Expected<CacheContents> cacheContents(const std::string &Folder);

/// Removes from \p Folder what a cache of readings has put there, and nothing else; returns what
/// that was. Fails if a file cannot be removed.
llvm::Expected<CacheContents> clearCache(const std::string &Folder);

} // namespace opsig

#endif
