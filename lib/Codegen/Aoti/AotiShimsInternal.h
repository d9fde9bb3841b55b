//===- AotiShimsInternal.h - C functions of operators, before their text ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// the release's list of operators x device => ShimFile (shims, and which kernels they call)
// schema => C parameters + the expressions that make C++ arguments of them + assignments to results
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_AOTISHIMSINTERNAL_H
#define OPSIG_CODEGEN_AOTISHIMSINTERNAL_H

#include "Print/CppInternal.h"
#include "opsig/Codegen/Aten.h"

namespace opsig {

/// A parameter in C.
struct ShimParam {
  std::string Type, Name;
};

/// What is handed out through the pointer Name.
struct ShimResult {
  std::string Name;
  std::string Value; ///< a C++ expression
  bool IsHandle;     ///< of a tensor, which is moved into a new one
};

/// What a C shim takes, and how it calls the operator.
struct ShimPlan {
  std::vector<ShimParam> Params;     ///< the pointers of results come last
  std::vector<std::string> CallArgs; ///< C++ expressions, one per argument of the C++ function
  std::vector<ShimResult> Results;   ///< none of inplace and out functions
  bool HasNullableResults = false;   ///< a caller may want none
};

/// \p LeftOut: arguments that the shim does not take. Nothing where an argument or a return has a
/// type without a C form.
std::optional<ShimPlan> planShim(const FunctionSchema &S, const Dialect &D,
                                 llvm::ArrayRef<llvm::StringRef> LeftOut = {});

struct Shim {
  const NativeFunction *Function;
  std::optional<DispatchKey> Calls; ///< whose kernels; none: the dispatcher
  ShimPlan Plan;
  std::string Name;      ///< "add_Tensor", "add_Tensor_v2"
  llvm::StringRef Since; ///< the release that has it, where that is said
};

/// A pair of files; without a device it is that of all of them.
struct ShimFile {
  std::optional<DispatchKey> Device;
  std::vector<std::string> Includes; ///< sorted, each once
  std::vector<Shim> Shims;           ///< those of one operator with the latest first
  /// Operators of the list that have no shim.
  std::vector<std::pair<const NativeFunction *, Nothing>> Without;

  /// "cpu", "aten"
  std::string device() const;
};

/// In the order of the release's devices; none where the release has no shims.
std::vector<ShimFile> planShimFiles(const AtenInput &In);

} // namespace opsig

#endif
