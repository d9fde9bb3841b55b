//===- FamilyPlansInternal.h - Plumbing and declarations of kernels ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// function => what a family makes of it, or why nothing => its text | (OpPlan.h) what is shown
// groups x backend indices => declarations in at::native; structured group => class in at::meta
//
// Each is decided in the source file of its family.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CODEGEN_API_FAMILYPLANSINTERNAL_H
#define OPSIG_LIB_CODEGEN_API_FAMILYPLANSINTERNAL_H

#include "Print/CppInternal.h"

namespace opsig {

//===-- VmapGeneratedPlumbing.h ---------------------------------------------===//

enum class Plumbing : uint8_t { NoReturns, Inplace, Functional };
std::variant<Plumbing, Nothing> planPlumbing(const NativeFunction &F, const Dialect &D);

//===-- ops/<op>_native.h, NativeFunctions.h --------------------------------===//

enum class KernelDeclaration : uint8_t {
  Function,
  StructuredClass, ///< of the out function, with the meta class as its base
  Elsewhere,       ///< `legacy::`: PyTorch declares it by hand
};
KernelDeclaration planDeclaration(const KernelEntry &Kernel);

/// Every kernel of \p Groups, each once, in blocks by namespace.
std::vector<std::string> nativeDeclarations(llvm::ArrayRef<const FunctionOrGroup *> Groups,
                                            const Operators &Ops);

/// The class of a structured kernel of \p G.
std::string structuredDeclaration(const NativeFunctionsGroup &G, const KernelEntry &Kernel,
                                  const Dialect &D);

//===-- ops/<op>_meta.h, NativeMetaFunctions.h ------------------------------===//

/// Those of \p Groups that have a meta class: the structured ones.
std::vector<const NativeFunctionsGroup *>
structuredGroups(llvm::ArrayRef<const FunctionOrGroup *> Groups);

/// Appends the meta class of a structured group.
void declareMeta(std::string &Out, const NativeFunctionsGroup &G, const Dialect &D);

} // namespace opsig

#endif
