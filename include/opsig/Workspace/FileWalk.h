//===- FileWalk.h - The files below a folder, but for what is left out ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// folder, --exclude, .gitignore files => files to read, what was left out and why
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_WORKSPACE_FILEWALK_H
#define OPSIG_WORKSPACE_FILEWALK_H

#include "opsig/Support/GitIgnore.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <string>
#include <vector>

namespace opsig {

/// "src/a.cpp" for "./src//a.cpp"; ".." stays, it may lead through a link.
std::string tidied(llvm::StringRef Name);

/// "build", "out", "build-gpu", "cmake-build-debug".
bool isBuildName(llvm::StringRef Name);

/// What a user does not want to be read: names, of files and folders anywhere, and patterns of
/// absolute paths, which cover what is below a folder.
class Exclusions {
public:
  Exclusions() = default;
  /// Each a name, meant for all that is below \p Folder, or a pattern as from there.
  void add(llvm::ArrayRef<std::string> Patterns, llvm::StringRef Folder = ".");

  bool contain(llvm::StringRef Path) const;

private:
  struct NameRule {
    std::string Name, Folder;
  };
  std::vector<NameRule> Names;
  std::vector<std::string> Globs;
};

/// A file, or a folder with all that is in it.
struct LeftOut {
  std::string Path;
  std::string Why; ///< "a build folder"
};

/// "2 were left out: 'build' (a build folder), 'gen' (in .gitignore)"; three at most.
std::string leftOutText(llvm::ArrayRef<LeftOut> Left);

class FileWalk {
public:
  explicit FileWalk(const Exclusions &Excluded) : Excluded(Excluded) {}

  /// The files in and below \p Folder, whatever it is itself, for which \p Wanted holds, by name.
  /// Of hidden folders, folders of builds and of third parties, and what .gitignore files or the
  /// user exclude, nothing; links to folders are not followed.
  std::vector<std::string> files(llvm::StringRef Folder,
                                 llvm::function_ref<bool(llvm::StringRef)> Expected);

  /// Of all walks; hidden folders are not mentioned. Files that are not wanted are none.
  std::vector<LeftOut> Left;
  /// "cannot read the folder 'x': Permission denied".
  std::vector<std::string> Problems;

private:
  void enter(const std::string &Folder, llvm::function_ref<bool(llvm::StringRef)> Expected,
             std::vector<std::string> &Found);
  void readIgnores(llvm::StringRef Folder);
  void readIgnoresAbove(llvm::StringRef Folder);
  std::string whyLeftOut(const std::string &Path, bool IsFolder) const;

  const Exclusions &Excluded;
  GitIgnore Ignored;
};

} // namespace opsig

#endif
