//===- UncheckedBackends.h - Backends' YAMLs that nobody gave -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// folders that are checked x files of the project => the YAMLs of backends in them
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_UNCHECKEDBACKENDS_H
#define OPSIG_TOOL_UNCHECKEDBACKENDS_H

#include "opsig/Workspace/InputFiles.h"
#include "opsig/Workspace/ProjectFiles.h"
#include <string>

namespace opsig {

/// Which file below the folders of \p Groups lists the kernels of a backend, and how to have them
/// checked; "" for none.
std::string uncheckedBackends(llvm::ArrayRef<InputGroup> Groups, const ProjectFiles &Project);

} // namespace opsig

#endif
