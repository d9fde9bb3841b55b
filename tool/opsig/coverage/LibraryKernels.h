//===- LibraryKernels.h - What PyTorch and a backend's YAML register ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// operators x the plans of what is generated (Codegen) => kernels of PyTorch's, by key
// backend YAML x plans of its wrappers, its kernels in sources => kernels of the backend
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_COVERAGE_LIBRARYKERNELS_H
#define OPSIG_TOOL_COVERAGE_LIBRARYKERNELS_H

#include "opsig/Coverage/Coverage.h"
#include "opsig/Operators/Derivatives.h"
#include "opsig/Registry/UnitFiles.h"
#include "opsig/Workspace/Schemas.h"

namespace opsig {

/// Adds all operators of \p Schemas with the kernels that PyTorch has for them, but for keys of
/// devices in \p Without ("CUDA": SparseCUDA, too). \p Formulas: null where there is no
/// derivatives.yaml.
void addLibraryKernels(const LoadedSchemas &Schemas, const Derivatives *Formulas,
                       llvm::ArrayRef<std::string> Without, CoverageInput &Input);

/// Adds what the backends of \p Schemas register. Kernels that stand in \p Units are shown there,
/// others where the YAML names them.
void addBackendKernels(const LoadedSchemas &Schemas, llvm::ArrayRef<UnitFacts> Units,
                       UnitFiles &Files, CoverageInput &Input);

} // namespace opsig

#endif
