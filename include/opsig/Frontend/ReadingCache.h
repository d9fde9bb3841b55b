//===- ReadingCache.h - The folder in which readings are kept ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_FRONTEND_READINGCACHE_H
#define OPSIG_FRONTEND_READINGCACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace opsig {

/// Where readings are kept if nobody says otherwise; "" where there is no such place.
std::string defaultReadingCache();

/// Where something is kept.
struct CachePlace {
  std::string Folder; ///< "" for nowhere
  /// What is there is used; nothing is added or removed.
  bool IsReadOnly = false;
  /// The program that keeps it, as in ReadingSettings: another one may read it otherwise.
  std::string Opsig = "";
};

/// What other programs say of texts, kept under all that it depends on.
class KeptAnswers {
public:
  /// Of \p Kind. \p Common is what all of them depend on.
  KeptAnswers(const CachePlace &Place, std::string Kind, llvm::ArrayRef<std::string> Common);
  ~KeptAnswers();

  std::optional<std::string> find(llvm::ArrayRef<llvm::StringRef> About) const;
  void keep(llvm::ArrayRef<llvm::StringRef> About, llvm::StringRef Answer) const;

private:
  struct Impl;
  std::unique_ptr<Impl> TheImpl;
};

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
