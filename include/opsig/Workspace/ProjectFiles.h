//===- ProjectFiles.h - Which files are the project's -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// named and listed sources, .opsig.yaml | repository => root
// root, build folder => ProjectFiles: is this header one of ours?
//
// The one answer for findings, edits and what is read of headers at all.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_WORKSPACE_PROJECTFILES_H
#define OPSIG_WORKSPACE_PROJECTFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <mutex>
#include <string>
#include <vector>

namespace opsig {

/// A file belongs to the project if it is a source that is named or listed, or if it lies below the
/// project's root and no folder between both is somebody else's: the build folder, another
/// repository (a submodule), installed packages, or a PyTorch, which has an ATen and its version.
///
/// The root is the nearest folder at or above the first source that has .opsig.yaml or is a
/// repository. Without such it is the working directory if that holds all sources, else the nearest
/// folder that does.
class ProjectFiles {
public:
  /// \p Sources are named by the user or listed in compile_commands.json, the named ones first.
  /// \p BuildDir may be "". One that holds most of the sources is no folder of its own. Where
  /// \p Root is given, it is the root, and no link is followed: a build that lays out its inputs
  /// itself puts them there as links to anywhere.
  ProjectFiles(llvm::ArrayRef<std::string> Sources, llvm::StringRef BuildDir,
               llvm::StringRef Root = "");

  /// Links on the way to the file are followed. Safe to call from several threads.
  bool contain(llvm::StringRef Path) const;
  llvm::StringRef root() const { return Root; }
  /// The root, and the top of the repository that it is in: where nothing is trusted.
  std::vector<std::string> checkout() const;

private:
  bool isContained(llvm::StringRef Path) const;
  bool isOfProject(llvm::StringRef Folder) const;
  bool isOthers(llvm::StringRef Folder) const;

  /// With links followed, unless the root was given.
  std::string place(llvm::StringRef Folder) const;

  bool RootGiven;
  std::string Root;
  std::string Build; ///< "" if there is none that counts
  llvm::StringSet<> Sources;
  mutable std::mutex Mutex;
  /// Every unit asks of the same headers.
  mutable llvm::StringMap<bool> KnownFiles;
  mutable llvm::StringMap<bool> Known;     ///< by folder, as includes name it
  mutable llvm::StringMap<bool> KnownReal; ///< by folder, links followed
};

} // namespace opsig

#endif
