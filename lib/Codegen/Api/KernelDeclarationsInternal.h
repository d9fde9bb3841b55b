//===- KernelDeclarationsInternal.h - Kernels and meta functions in-tree ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// groups x backend indices => declarations in at::native; structured group => class in at::meta
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_KERNELDECLARATIONSINTERNAL_H
#define OPSIG_CODEGEN_KERNELDECLARATIONSINTERNAL_H

#include "opsig/Operators/Operators.h"

namespace opsig {

/// Every kernel of \p Groups, each once, in blocks by namespace.
std::vector<std::string> nativeDeclarations(llvm::ArrayRef<const FunctionOrGroup *> Groups,
                                            const Operators &Ops);

/// \p G if it has a meta class: if it is a structured group.
const NativeFunctionsGroup *structuredGroup(const FunctionOrGroup &G);

/// The meta class of a structured group.
std::string metaDeclaration(const NativeFunctionsGroup &G, const Dialect &D);

/// The class of a structured kernel of \p G.
std::string structuredDeclaration(const NativeFunctionsGroup &G, const KernelEntry &Kernel,
                                  const Dialect &D);

} // namespace opsig

#endif
