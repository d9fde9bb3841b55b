//===- OperatorStubs.h - What type checkers read of torch.ops -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// schemas by namespace and name => text of a .pyi
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_OPERATORSTUBS_H
#define OPSIG_CODEGEN_OPERATORSTUBS_H

#include "opsig/Schema/FunctionSchema.h"

namespace opsig {

struct StubOverload {
  std::string Overload; ///< "" for the default one
  /// None: nothing is known but the name.
  std::optional<FunctionSchema> Schema;
  std::string Text; ///< the schema as it is written
};

/// torch.ops.ns.name: overloads in the order in which PyTorch tries them.
struct StubOperator {
  std::string Name;
  std::vector<StubOverload> Overloads;
};

struct StubNamespace {
  std::string Name;
  std::vector<StubOperator> Operators;
  /// It has, or may have, other operators.
  bool IsOpen = false;
};

/// A module with a variable for each namespace, which is what torch.ops has by that name.
/// \p HasSymbols: the release has torch.SymInt and its like.
std::string operatorStubs(llvm::ArrayRef<StubNamespace> Namespaces, bool HasSymbols);
/// "(x: Tensor, s: float | None = None) -> Tensor": what one operator takes and returns, as Python
/// writes it. A default that Python has no way to write is "...".
std::string pythonForm(const FunctionSchema &S, bool HasSymbols);
/// The module itself, which the stub describes.
std::string operatorModule(llvm::ArrayRef<StubNamespace> Namespaces);

} // namespace opsig

#endif
