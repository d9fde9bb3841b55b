//===- OutputTree.h - Files to be written, all of them or none -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// (path, text)* => OutputTree => files replaced whole, and only where their bytes change
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_OUTPUTTREE_H
#define OPSIG_SUPPORT_OUTPUTTREE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace opsig {

class OutputTree {
public:
  /// Plans \p Text as the contents of \p Path. A path can be planned once.
  void add(llvm::StringRef Path, std::string Text);

  struct File {
    std::string Path;
    std::string Text;
  };
  /// In the order they were added.
  const std::vector<File> &files() const { return Files; }

  /// Writes every file whose contents differ, by way of StagedFiles, whose errors it has. When a
  /// text cannot be written no file changes. Returns how many files changed.
  llvm::Expected<unsigned> commit() const;

private:
  std::vector<File> Files;
};

} // namespace opsig

#endif
