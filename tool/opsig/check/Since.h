//===- Since.h - What has changed since a revision --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// revision => (git) lines that were added or changed, files that are new
//   => sources whose findings may have changed; findings on these lines
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_SINCE_H
#define OPSIG_TOOL_SINCE_H

#include "check/CheckSetup.h"
#include "llvm/Support/FileSystem/UniqueID.h"
#include <map>
#include <set>

namespace opsig {

class ChangedLines {
public:
  /// Compares the working tree that \p Folder is in, with all that is not committed, with
  /// \p Revision. Fails with git's own words. Programs in \p Untrusted folders are not run.
  static llvm::Expected<ChangedLines> since(llvm::StringRef Revision, llvm::StringRef Folder,
                                            llvm::ArrayRef<std::string> Untrusted);

  /// No line of any of the sources, nor of a file that they include, or of a YAML has changed.
  bool concernNone(const CheckSetup &Setup) const;
  /// Leaves those that stand on such a line, or have a note there.
  void filter(SiftedFindings &Found, const SourceFiles &Files) const;

private:
  /// First and last.
  using Range = std::pair<unsigned, unsigned>;

  llvm::Error readDiff(llvm::StringRef Diff);
  void addFile(llvm::StringRef Name, std::vector<Range> Lines);
  bool contain(const Place &At, const SourceFiles &Files) const;

  std::string Root;
  std::map<llvm::sys::fs::UniqueID, std::vector<Range>> Lines;
  /// Of these nobody can say what depends on them.
  bool HasYaml = false, HasRemoved = false;
};

} // namespace opsig

#endif
