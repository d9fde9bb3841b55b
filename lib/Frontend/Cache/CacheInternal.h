//===- CacheInternal.h - Readings that are kept -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// job, options => key (FactsCache.cpp) => entry in a folder (CacheFolder.cpp)
//   => its trace still holds => UnitFacts
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_CACHE_CACHEINTERNAL_H
#define OPSIG_LIB_FRONTEND_CACHE_CACHEINTERNAL_H

#include "Parse/SharedPch.h"
#include "opsig/Frontend/UnitReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include <optional>

namespace opsig {

/// What files of a cache are called: "llvmcache-facts-KEY". llvm::pruneCache() takes such files
/// alone, and writes the stamp.
inline constexpr llvm::StringLiteral CacheFilePrefix = "llvmcache-";
inline constexpr llvm::StringLiteral CacheStamp = "llvmcache.timestamp";

/// What only this user has, or only those who share a cache: no checkout, and no other user of the
/// machine, can make an entry that is taken.
struct CacheKey {
  std::string Secret;    ///< "": there is none
  bool IsShared = false; ///< stated by $OPSIG_CACHE_KEY

  /// Makes the user's key where there is none yet.
  static CacheKey ofUser();
  /// What an entry of that name and text begins with.
  std::string seal(llvm::StringRef Name, llvm::StringRef Text) const;
};

/// A folder of files that are written whole, by several processes at a time. What cannot be written
/// is not there the next time, and that is not reported: a cache is no output. Thread-safe.
class CacheFolder {
public:
  /// "" for none. Where it \p IsReadOnly, nothing is put there or removed.
  explicit CacheFolder(std::string Path, bool IsReadOnly = false);

  bool isOpen() const { return !Path.empty(); }
  /// Why nothing is kept in the folder that was asked for; "" where it is, or none was.
  const std::string &problem() const { return Problem; }
  /// Null where it is not there, not as it was written, or not written with the same key.
  std::unique_ptr<llvm::MemoryBuffer> get(llvm::StringRef Name) const;
  /// What get() gave without its checksum.
  static llvm::StringRef textOf(const llvm::MemoryBuffer &Entry);
  /// The seal of what get() gave: no other text has it.
  static llvm::StringRef sealOf(const llvm::MemoryBuffer &Entry);
  /// Gives its seal.
  std::string put(llvm::StringRef Name, llvm::StringRef Text) const;
  /// Removes what was not used for long, and more where it is too much.
  void prune() const;

private:
  std::string pathOf(llvm::StringRef Name) const;
  int openEntry(llvm::StringRef Name) const;

  std::string Path, Problem;
  bool IsReadOnly;
  CacheKey Key;
};

/// Collects what makes a reading what it is.
class KeyMaker {
public:
  KeyMaker &add(llvm::StringRef Part) {
    All += std::to_string(Part.size()) + ':';
    All += Part;
    return *this;
  }
  std::string key() const { return hashOf(All); }

private:
  std::string All;
};

/// How \p Job is compiled, and by whom; without the name of its file, nor that of the folder of
/// \p Paths.
KeyMaker commandKey(const ParseJob &Job, llvm::StringRef Opsig, const MovablePaths &Paths);

/// How a unit was read, and what is left to do where there is something to report of it.
enum class SharedReading {
  None,      ///< by itself: nothing
  Confirmed, ///< with a shared precompiled header, which makes no difference: nothing
  ByTokens,  ///< likewise; the tokens of its headers are to be compared
  ByReading, ///< likewise; the file is to be read by itself
};

struct KeptUnit {
  UnitFacts Unit;
  SharedReading How = SharedReading::None;
  /// What it was made of, where that was asked for.
  std::vector<std::string> Files = {};
};

/// Facts of files that have not changed.
class FactsCache {
public:
  FactsCache(const CacheFolder &Folder, FileStates &States, llvm::StringRef Opsig)
      : Folder(Folder), States(States), Opsig(Opsig) {}

  /// \p WithFiles: KeptUnit::Files is filled.
  std::optional<KeptUnit> find(const ParseJob &Job, const ParseOptions &Options,
                               bool WithFiles) const;
  void keep(const ParseJob &Job, const ParseOptions &Options, const KeptUnit &Unit,
            const FileTrace &Trace) const;
  /// What is kept of \p Job needs no more confirmation.
  void confirm(const ParseJob &Job, const ParseOptions &Options) const;

private:
  std::string nameOf(const ParseJob &Job, const ParseOptions &Options) const;

  const CacheFolder &Folder;
  FileStates &States;
  std::string Opsig;
};

/// Files whose headers have the same tokens as a shared precompiled header. What comes behind a
/// file's last #include makes no difference, and its name neither.
class ComparisonCache {
public:
  ComparisonCache(const CacheFolder &Folder, FileStates &States, llvm::StringRef Opsig)
      : Folder(Folder), States(States), Opsig(Opsig) {}

  /// haveSameTokens() would give true.
  bool hasSameTokens(const ParseJob &Job, const ParseOptions &Options,
                     const HeaderTokens &Of) const;
  void keepSame(const ParseJob &Job, const ParseOptions &Options, const HeaderTokens &Of,
                const ComparedFile &Compared) const;

private:
  std::string nameOf(const ParseJob &Job, const ParseOptions &Options, const HeaderTokens &Of,
                     llvm::StringRef Text) const;

  const CacheFolder &Folder;
  FileStates &States;
  std::string Opsig;
};

/// Shared precompiled headers that have not changed, and with which of them each file was read.
class SharedPchCache {
public:
  SharedPchCache(const CacheFolder &Folder, FileStates &States, llvm::StringRef Opsig)
      : Folder(Folder), States(States), Opsig(Opsig) {}

  /// It is there, and its headers are as they were.
  bool has(llvm::StringRef Key, const ParseOptions &Options);
  std::optional<SharedPch> find(llvm::StringRef Key, const ParseOptions &Options);
  /// The tokens of the one that \p Job was read with; null where that is not known.
  std::shared_ptr<const HeaderTokens> tokensFor(const ParseJob &Job,
                                                const ParseOptions &Options) const;
  void keep(const SharedPch &P) const;

  /// \p Key is "" for a file that is better read by itself.
  void remember(const ParseJob &Job, llvm::StringRef Key) const;
  std::optional<std::string> recall(const ParseJob &Job) const;

private:
  std::string nameOf(const ParseJob &Job) const;
  /// Without the AST.
  std::optional<SharedPch> factsOf(llvm::StringRef Key, const ParseOptions &Options) const;
  std::optional<SharedPch> takeNext(llvm::StringRef Key);

  const CacheFolder &Folder;
  FileStates &States;
  std::string Opsig;
  std::mutex Mutex;
  /// Without the AST: what has() was asked for, which find() will be asked for next.
  std::map<std::string, SharedPch> Next;
};

} // namespace opsig

#endif
