//===- UncheckedBackends.h - Backends' YAMLs that nobody gave -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// folders that are checked x files of the project => the YAMLs of backends in them, and what of
// them is taken without --backend
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_UNCHECKEDBACKENDS_H
#define OPSIG_TOOL_UNCHECKEDBACKENDS_H

#include "opsig/Workspace/InputFiles.h"
#include "opsig/Workspace/ProjectFiles.h"
#include "opsig/Workspace/Schemas.h"
#include <string>
#include <vector>

namespace opsig {

struct BackendFiles {
  /// Those that list the kernels of a backend.
  std::vector<std::string> Names;
  /// All kernels are in the folders: they hold the whole project, or nothing says what the project
  /// is, and no file outside of them names the kernels' class.
  bool AreComplete = false;
  /// The one folder that was named, if it has them all and is not the whole project.
  std::string Part;
};
/// What is below the folders of \p Groups.
BackendFiles backendFiles(llvm::ArrayRef<InputGroup> Groups, const ProjectFiles &Project);
/// Its Part; "" where the project is described, at the price of a look.
std::string partWithBackend(llvm::ArrayRef<InputGroup> Groups, const ProjectFiles &Project);

/// Adds the backend of \p File to \p Schemas, as --backend does, where nothing is wrong in the file
/// for this release and its layout is PyTorch's own.
bool takeBackend(const std::string &File, const SchemaSource &Source, LoadedSchemas &Schemas);

/// That the kernels that \p Found list are not checked, and how to have them checked; "" for none.
std::string uncheckedBackends(llvm::ArrayRef<std::string> Found);

} // namespace opsig

#endif
