//===- KernelSkeleton.h - The kernel that a schema string asks for --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FunctionSchema x Dialect => the declaration that a kernel for it usually has
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CHECK_KERNELSKELETON_H
#define OPSIG_CHECK_KERNELSKELETON_H

#include "opsig/Dialect/Dialect.h"
#include "opsig/Frontend/Registration.h"
#include "opsig/Schema/Parse.h"

namespace opsig {

/// "at::Tensor scale(const at::Tensor & self, double factor)" without a semicolon; tensors that the
/// schema marks as written are taken, and returned where they are all, by reference. None where C++
/// has no type for a part of the schema, or where it is only a name.
std::optional<std::string> kernelSkeleton(const FunctionSchema &S, llvm::StringRef Name,
                                          KernelInterface Interface, const Dialect &D);

} // namespace opsig

#endif
