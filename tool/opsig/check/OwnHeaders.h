//===- OwnHeaders.h - Flags for a project's own headers ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// folders that have the project's headers (ProjectIncludeDirs) => -I flags of jobs, or a note
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_CHECK_OWNHEADERS_H
#define OPSIG_TOOL_CHECK_OWNHEADERS_H

#include "check/KernelCheck.h"
#include "opsig/Workspace/ProjectIncludeDirs.h"

namespace opsig {

/// Where nobody gives flags, lets every job of \p Commands find the project's \p Headers that
/// \p Sources include, and nowhere else are. Tells \p Log where.
void addOwnHeaders(CompileCommands &Commands, llvm::ArrayRef<std::string> Sources,
                   ProjectIncludeDirs Headers, llvm::raw_ostream &Log);

/// Says on standard error which -I would find headers that \p Units lack, and the project has.
void reportProjectIncludeDirs(llvm::ArrayRef<UnitFacts> Units,
                              std::shared_ptr<const ProjectFiles> Project);

} // namespace opsig

#endif
