//===- GitIgnore.h - What .gitignore files name --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// texts of .gitignore files => whether a file is ignored
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_GITIGNORE_H
#define OPSIG_SUPPORT_GITIGNORE_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace opsig {

/// The patterns in effect in a folder. Lines that cannot be parsed ignore nothing. Files that git
/// tracks in spite of a pattern are treated as ignored.
class GitIgnore {
public:
  /// Adds the lines of a .gitignore, \p Text, in the absolute folder \p Folder. Add outer folders
  /// before inner ones.
  void add(llvm::StringRef Folder, llvm::StringRef Text);

  size_t size() const { return Rules.size(); }
  /// Drops all but the first \p Size patterns, after leaving their folder.
  void shrink(size_t Size) { Rules.resize(Size); }

  /// Whether the last pattern that matches the absolute \p Path says so. The folders above it are
  /// not looked at: what lies in an ignored one is ignored, whatever is said of it.
  bool ignores(llvm::StringRef Path, bool IsFolder) const;

private:
  struct Rule {
    std::string Folder, Glob;
    bool Negated = false, FolderOnly = false;
    bool Anchored = false; ///< to Folder; otherwise it is for names
  };
  static bool matches(const Rule &R, llvm::StringRef Path, bool IsFolder);

  std::vector<Rule> Rules;
};

} // namespace opsig

#endif
