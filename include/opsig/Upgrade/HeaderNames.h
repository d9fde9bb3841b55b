//===- HeaderNames.h - What PyTorch's headers declare -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// folder of headers => names that they declare => the nearest to one that Clang does not know
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_UPGRADE_HEADERNAMES_H
#define OPSIG_UPGRADE_HEADERNAMES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace opsig {

/// The names are taken from the headers' tokens: macros, classes, aliases and functions.
class HeaderNames {
public:
  /// \p Folder has `ATen`, `c10` and `torch`.
  explicit HeaderNames(llvm::StringRef Folder);

  /// "'ceil_div' is declared in 'ATen/ceil_div.h'" for the name that a message of Clang's is about,
  /// or for the nearest one; "" where none is near.
  std::string about(llvm::StringRef Message) const;

private:
  void read(llvm::StringRef Path, llvm::StringRef Name);

  /// The header of each name: the one with the shortest path that declares it.
  llvm::StringMap<std::string> Headers;
};

} // namespace opsig

#endif
