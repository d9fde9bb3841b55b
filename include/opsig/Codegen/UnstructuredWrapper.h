//===- UnstructuredWrapper.h - What is registered for an unstructured kernel ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wrapper x signatures (dispatcher, kernel) => definition, registration
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_UNSTRUCTUREDWRAPPER_H
#define OPSIG_CODEGEN_UNSTRUCTUREDWRAPPER_H

#include "opsig/Codegen/WrapperPlan.h"
#include "opsig/Signature/Signature.h"

namespace opsig {

/// On whose behalf wrappers are printed.
struct WrapperContext {
  const BackendIndex &Index;
  const Dialect &D;
  /// The class that all kernels of an external backend are static members of; "" for kernels in a
  /// namespace.
  llvm::StringRef ClassName;
};

/// The wrapper's own signature: the dispatcher convention, under a name that no other wrapper has.
Signature wrapperSignature(const FunctionSchema &S, const Lowering &L, const BackendIndex &Index);

/// The definition of the wrapper. Fails, telling why, where it cannot be made.
llvm::Expected<std::string> wrapperDefinition(const Wrapper &W, const WrapperContext &C);

/// "m.impl("add.Tensor",\nTORCH_FN(wrapper_Tensor_add));\n".
std::string wrapperRegistration(const Wrapper &W, const WrapperContext &C);

/// "static at::Tensor add(const at::Tensor & self, ...);" for every kernel of \p Index, sorted,
/// each once.
std::vector<std::string> kernelDeclarations(const Operators &Ops, const BackendIndex &Index);

} // namespace opsig

#endif
