//===- KernelCheck.h - Kernels in files against loaded schemas --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FILEs x compile commands => TranslationUnits => lib/Check => findings
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_KERNELCHECK_H
#define OPSIG_TOOL_KERNELCHECK_H

#include "SchemaInput.h"

namespace opsig {

/// How the files are compiled: with Flags if there are any, else as BuildDir's
/// compile_commands.json says if one is given, else as C++17 with the torch root's headers.
struct CompileSettings {
  std::vector<std::string> Flags;
  std::string BuildDir;
  /// Files to read at a time; 0: one per processor.
  unsigned Threads = 0;
};

/// Puts what is wrong with the kernels in \p Inputs into \p Schemas.Diags: those of its backends,
/// or without backends those of PyTorch itself. Notes about files that are not read completely are
/// printed to standard error. Fails where a file cannot be read.
llvm::Error checkKernels(llvm::ArrayRef<std::string> Inputs, const CompileSettings &Settings,
                         const SchemaSource &Source, LoadedSchemas &Schemas);

} // namespace opsig

#endif
