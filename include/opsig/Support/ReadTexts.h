//===- ReadTexts.h - Which texts a run has read ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// (path, text) of every parse => is this text the one that was parsed?
//
// A file is read several times: by the parse of each file that includes it, and again for its
// lines. Edits are made only in a text that all of them had.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_READTEXTS_H
#define OPSIG_SUPPORT_READTEXTS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace opsig {

class ReadTexts {
public:
  /// \p Path, an absolute one, was read as \p Text. Thread-safe.
  void note(llvm::StringRef Path, llvm::StringRef Text);

  /// \p Path is another name of a file that was read. Not to be called while parses run.
  void addName(llvm::StringRef Path) { Names.push_back(Path.str()); }

  /// False if some parse has read a different text than \p Text.
  bool agree(llvm::StringRef Path, llvm::StringRef Text) const;

  /// All paths that were noted or added.
  std::vector<std::string> paths() const;

private:
  struct Entry {
    uint64_t Hash;
    bool Ambiguous;
  };
  mutable std::mutex Mutex;
  llvm::StringMap<Entry> Entries;
  std::vector<std::string> Names;
};

} // namespace opsig

#endif
