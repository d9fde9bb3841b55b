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

/// The patterns that hold in a folder. A line that is not understood ignores nothing. What git
/// tracks although a pattern names it is not known here.
class GitIgnore {
public:
  /// The lines of a .gitignore, \p Text, in the absolute folder \p Folder. Those of an inner folder
  /// come after those of an outer one.
  void add(llvm::StringRef Folder, llvm::StringRef Text);

  size_t size() const { return Rules.size(); }
  /// Forgets all but the first \p Size patterns: their folder was left.
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
