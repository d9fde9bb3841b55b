//===- ReadTexts.cpp - Which texts a run has read ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/ReadTexts.h"
#include "opsig/Support/UnbrokenLock.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace opsig;

void ReadTexts::note(StringRef Path, StringRef Text) {
  uint64_t Hash = xxh3_64bits(Text);
  UnbrokenLock Guard(Mutex);
  auto [It, New] = Entries.try_emplace(Path, Entry{Hash, false});
  if (!New)
    It->second.Ambiguous |= It->second.Hash != Hash;
}

bool ReadTexts::agree(StringRef Path, StringRef Text) const {
  std::lock_guard Guard(Mutex);
  auto It = Entries.find(Path);
  return It == Entries.end() || (!It->second.Ambiguous && It->second.Hash == xxh3_64bits(Text));
}

std::vector<std::string> ReadTexts::paths() const {
  std::lock_guard Guard(Mutex);
  std::vector<std::string> Paths = Names;
  for (const auto &E : Entries)
    Paths.push_back(E.getKey().str());
  llvm::sort(Paths);
  return Paths;
}
