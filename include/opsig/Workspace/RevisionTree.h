//===- RevisionTree.h - The files of a revision, in a folder ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// revision => (git) its commit => files in a temporary folder, laid out as in the repository
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_WORKSPACE_REVISIONTREE_H
#define OPSIG_WORKSPACE_REVISIONTREE_H

#include "opsig/Workspace/Git.h"
#include "llvm/ADT/StringRef.h"
#include <memory>

namespace opsig {

/// The folder goes with this object. Nothing of the repository runs to make it: neither hooks nor
/// filters, and no link is made.
class RevisionTree {
public:
  /// Fails with git's own words, and where the revision has more than fits.
  static llvm::Expected<std::unique_ptr<RevisionTree>> make(const Git &Repository,
                                                            llvm::StringRef Revision);
  ~RevisionTree();
  RevisionTree(const RevisionTree &) = delete;
  RevisionTree &operator=(const RevisionTree &) = delete;

  const std::string &folder() const { return Folder; }
  /// The commit, in full.
  const std::string &commit() const { return Commit; }
  /// \p Path, which is below the working tree, as it is called in the folder. Links in the path of
  /// the working tree do not matter. "" for a path that is not below it.
  std::string pathOf(llvm::StringRef Path) const;
  /// What is not in the folder, in words: "2 links", "1 file of more than 8 MiB".
  std::vector<std::string> leftOut() const;

private:
  RevisionTree() = default;
  llvm::Error layOut(const Git &Repository);

  std::string Root, Folder, Commit;
  size_t Links = 0, Large = 0;
};

} // namespace opsig

#endif
