//===- DispatcherCall.h - Operators that code looks up, and gradients ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bodies and initialisers of the project (Clang AST)
//   => OperatorLookup { name, overload, typed<Sig>() on what was found } => lib/Check/Registrations
//   => AutogradFunction { arguments of forward, values that backward returns } => lib/Check/Effects
//
// Plain data, as everything in a UnitFacts.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_DISPATCHERCALL_H
#define OPSIG_FRONTEND_DISPATCHERCALL_H

#include "opsig/Frontend/Registration.h"
#include <string>
#include <vector>

namespace opsig {

/// `typed<Sig>()` of the handle of an operator.
struct TypedHandle {
  /// Sig as the signature of a function. Use is `typed<Sig>`.
  RegisteredKernel Signature;
  /// Where the operator is called through it: each `call(...)`.
  std::vector<Span> Calls;
};

/// Code asks the dispatcher for an operator by constant names.
struct OperatorLookup {
  std::string Function; ///< "findSchemaOrThrow", "aoti_torch_call_dispatcher"
  LiteralText Name, Overload;
  /// The code goes on without the operator: it tests what it got, or catches the exception.
  bool Optional = false;
  Span At; ///< the call
  std::vector<TypedHandle> Typed;
};

/// A `return` of a backward function.
struct GradientReturn {
  uint32_t Count = 0;
  /// The number of the last value that is certainly a tensor, counted from one; 0 without.
  /// PyTorch ignores undefined tensors behind those that it needs.
  uint32_t LastDefined = 0;
  Span At;
};

/// A class derived from torch::autograd::Function whose forward() has a fixed number of arguments.
struct AutogradFunction {
  std::string Name; ///< qualified
  /// Arguments of forward() without the context; fewest where some have defaults.
  uint32_t NumArgs = 0, FewestArgs = 0;
  Span ForwardAt; ///< the name of forward()
  /// Each reachable one whose length can be seen.
  std::vector<GradientReturn> Returns;
};

} // namespace opsig

#endif
