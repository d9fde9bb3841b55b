//===- ChangedLines.h - What has changed since a revision --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// revision => (git) lines that were added or changed, files that are new
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_WORKSPACE_CHANGEDLINES_H
#define OPSIG_WORKSPACE_CHANGEDLINES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem/UniqueID.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace opsig {

class ChangedLines {
public:
  /// Compares the working tree that \p Folder is in, with all that is not committed, with
  /// \p Revision. Fails with git's own words. Programs in \p Untrusted folders are not run.
  static llvm::Expected<ChangedLines> since(llvm::StringRef Revision, llvm::StringRef Folder,
                                            llvm::ArrayRef<std::string> Untrusted);
  /// What `git diff --unified=0` says of the working tree \p Root.
  static llvm::Expected<ChangedLines> ofDiff(llvm::StringRef Diff, std::string Root);

  const std::string &root() const { return Root; }
  /// A YAML file has changed, or a file is gone: nobody can say what depends on these.
  bool mayConcernAll() const { return HasYaml || HasRemoved; }
  /// Those that have changed and are there.
  std::set<llvm::sys::fs::UniqueID> files() const;
  bool contain(llvm::StringRef File, unsigned Line) const;

private:
  /// First and last.
  using Range = std::pair<unsigned, unsigned>;

  void addFile(llvm::StringRef Name, std::vector<Range> Lines);

  std::string Root;
  std::map<llvm::sys::fs::UniqueID, std::vector<Range>> Lines;
  bool HasYaml = false, HasRemoved = false;
};

} // namespace opsig

#endif
