//===- KernelName.h - What the kernel of a schema is called -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_SCHEMA_KERNELNAME_H
#define OPSIG_SCHEMA_KERNELNAME_H

#include "opsig/Schema/FunctionSchema.h"

namespace opsig {

/// The name where nobody gives one: without overload, and with "_out" for an out function.
/// "add" for add.Tensor, "add_out" for add.out.
std::string impliedKernelName(const FunctionSchema &S);

} // namespace opsig

#endif
