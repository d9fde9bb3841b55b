//===- OutputTree.h - Files to be written, all of them or none -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// (path, text)* => OutputTree => files replaced as a whole, and only if their bytes change
// (path, text before, text)* => the same for edited files, if they still have the text that was
// read
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_OUTPUTTREE_H
#define OPSIG_SUPPORT_OUTPUTTREE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace opsig {

class OutputTree {
public:
  /// Plans \p Text as the contents of \p Path. A path can be planned once.
  void add(llvm::StringRef Path, std::string Text);

  /// Plans \p Text for the file \p Path, which was read as \p Before.
  void edit(llvm::StringRef Path, llvm::StringRef Before, std::string Text);
  /// Other names of edited files (hard links). commit() also removes what interrupted runs left
  /// beside these files.
  void addKnownNames(llvm::ArrayRef<std::string> Names);

  struct File {
    std::string Path;
    std::string Text;
    /// Of edited files.
    std::optional<std::string> Before;
  };
  /// In the order they were added.
  const std::vector<File> &files() const { return Files; }

  /// Writes every file whose contents differ, through StagedFiles, and returns its errors. If one
  /// file cannot be written, none is changed. Returns how many files changed. \p Left receives a
  /// sentence for each leftover that may be opsig's and is not removed.
  llvm::Expected<unsigned> commit(std::vector<std::string> *Left = nullptr) const;

private:
  std::vector<File> Files;
  std::vector<std::string> KnownNames;
};

} // namespace opsig

#endif
