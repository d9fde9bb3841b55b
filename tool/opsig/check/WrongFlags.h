//===- WrongFlags.h - Reporting a wrong flag once for all files --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_CHECK_WRONGFLAGS_H
#define OPSIG_TOOL_CHECK_WRONGFLAGS_H

#include "check/KernelCheck.h"
#include "opsig/Operators/ProjectConfig.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace opsig {

/// Notes to standard error which of \p Units were read in part only, but for files of which
/// findings say why. A wrong flag is reported once for all files, with its place: after '--', in
/// \p Project or in compile_commands.json.
void reportIncomplete(
    llvm::ArrayRef<UnitFacts> Units, const CompileSettings &Compile, const ProjectConfig &Project,
    llvm::function_ref<bool(llvm::StringRef)> IsExplained = [](llvm::StringRef) { return false; });

/// Why \p Unit, which was not parsed, could not be read.
std::string whyUnread(const UnitFacts &Unit);

} // namespace opsig

#endif
