//===- AtenLists.h - The lists of files of gen aten -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FileSpec* x install folder => the CMake files of -o, which tell a build what is generated
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_ATENLISTS_H
#define OPSIG_TOOL_ATENLISTS_H

#include "opsig/Codegen/Aten.h"

namespace opsig {

/// Where files go, as the user spelled it.
struct AtenFolders {
  std::string Install;
  std::string Aoti;
  std::string HeaderOnly;

  std::string pathOf(const FileSpec &File) const;
};

/// The lists for `-o \p DependencyFile`: its own name for the main one, others with a prefix beside
/// it. \p WithXpu: XPU's files have a list of their own.
/// Name: its path.
std::vector<GeneratedFile> makeFileLists(llvm::ArrayRef<FileSpec> Files, const AtenFolders &Folders,
                                         llvm::StringRef DependencyFile, bool WithXpu,
                                         const Dialect &D);

} // namespace opsig

#endif
