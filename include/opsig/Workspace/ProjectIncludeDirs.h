//===- ProjectIncludeDirs.h - Where a project's own headers are looked up -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// #include lines of sources x files of the project => the folders that a build would search
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_WORKSPACE_PROJECTINCLUDEDIRS_H
#define OPSIG_WORKSPACE_PROJECTINCLUDEDIRS_H

#include "opsig/Workspace/ProjectFiles.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <memory>
#include <optional>

namespace opsig {

struct IncludeLine {
  std::string Name; ///< as it is written
  bool Angled = false;
};
/// The #include lines of \p Text, in order; conditions are not looked at.
std::vector<IncludeLine> includeLines(llvm::StringRef Text);

/// The files below the project's root, sorted; of hidden folders and others' nothing. Nothing
/// where there are too many to look at.
std::optional<std::vector<std::string>> filesOf(const ProjectFiles &Project);

/// Says of a header's name in which folder of the project it can be looked up.
class ProjectIncludeDirs {
public:
  /// \p Part is a folder of the project that is a library of its own; "" where none is known to be.
  ProjectIncludeDirs(std::shared_ptr<const ProjectFiles> Project, std::string Part = "")
      : Project(std::move(Project)), Part(std::move(Part)) {}

  /// What the line in \p Includer needs: the nearest folder at or above it that has
  /// the name, or whose folder "include" (or one whose name begins with "inc") does. Failing that,
  /// for a name in quotes or one with folders in it: the one place where the part has it, or the
  /// whole project if that part does not. Nothing where it is not there, or in several places.
  std::optional<std::string> folderFor(llvm::StringRef Includer, const IncludeLine &Line);

  struct Folder {
    std::string Path;
    /// It has files, too, by whose names the sources mean others.
    bool Hides = false;
  };
  /// The folders for all that \p Sources, and the headers that they lead to this way, include, but
  /// for what \p Elsewhere has, folders that are searched anyway. Those that are asked for most
  /// often come first.
  std::vector<Folder> foldersFor(llvm::ArrayRef<std::string> Sources,
                                 llvm::ArrayRef<std::string> Elsewhere);

private:
  std::optional<std::string> nearest(llvm::StringRef Folder, llvm::StringRef Name);
  const std::vector<std::string> &includeFoldersIn(llvm::StringRef Folder);
  std::optional<std::string> only(llvm::StringRef Name);
  bool has(llvm::StringRef Folder, llvm::StringRef Name) const;

  std::shared_ptr<const ProjectFiles> Project;
  std::string Part;
  /// By folder and name; thousands of files ask for the same.
  std::map<std::pair<std::string, std::string>, std::optional<std::string>> Known;
  llvm::StringMap<std::vector<std::string>> IncludeFolders;
  /// By the last part of their names, made when first needed.
  std::optional<llvm::StringMap<std::vector<std::string>>> ByName;
};

} // namespace opsig

#endif
