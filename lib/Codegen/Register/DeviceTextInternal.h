//===- DeviceTextInternal.h - What generated files do about devices ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_CODEGEN_DEVICETEXTINTERNAL_H
#define OPSIG_CODEGEN_DEVICETEXTINTERNAL_H

#include "opsig/Codegen/WrapperPlan.h"

namespace opsig {

/// Statements that compare the devices of \p Plan's arguments; a comment where none are compared.
/// Errors at run time name \p Wrapper.
std::string deviceCheckText(const DeviceHandling &Plan, llvm::StringRef Wrapper,
                            const OutputFacts &O);

/// Includes of files that use CUDA, or HIP in its place.
std::string cudaHeaders(bool Rocm, const OutputFacts &O);

} // namespace opsig

#endif
