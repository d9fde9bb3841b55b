//===- FamilyPlansInternal.h - What small families make of a function -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// function => what a family makes of it, or why nothing => its text | (OpPlan.h) what is shown
//
// Each is decided in the source file of its family.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_FAMILYPLANSINTERNAL_H
#define OPSIG_CODEGEN_FAMILYPLANSINTERNAL_H

#include "opsig/Codegen/Selector.h"
#include "opsig/Operators/Operators.h"

namespace opsig {

//===-- VmapGeneratedPlumbing.h ---------------------------------------------===//

enum class Plumbing : uint8_t { NoReturns, Inplace, Functional };
enum class NoPlumbing : uint8_t {
  NoTensor,     ///< takes no tensor
  OtherReturns, ///< returns more than tensors
  ChangesView,  ///< changes what its argument is a view of
  OtherWrites,  ///< inplace, but writes to more than self or returns something else
  OtherKind,    ///< out and mutable functions
};
std::variant<Plumbing, NoPlumbing> planPlumbing(const NativeFunction &F, const Dialect &D);

//===-- RegisterBackendSelect.cpp -------------------------------------------===//

enum class BackendSelect : uint8_t { ByOptions, ByOptionsAndTensors };
enum class NoBackendSelect : uint8_t {
  NoOptions,  ///< takes no tensor options
  HasTensor,  ///< new_* and *_like: a tensor says it all
  NotSelected ///< a selective build does without it
};
std::variant<BackendSelect, NoBackendSelect> planBackendSelect(const NativeFunction &F,
                                                               const Selector &Selected);

//===-- ops/<op>_native.h, NativeFunctions.h --------------------------------===//

enum class KernelDeclaration : uint8_t {
  Function,
  StructuredClass, ///< of the out function, with the meta class as its base
  Elsewhere,       ///< `legacy::`: PyTorch declares it by hand
};
KernelDeclaration planDeclaration(const KernelEntry &Kernel);

//===-- Ufunc*.cpp, Ufunc*.cu -----------------------------------------------===//

/// Keys for which kernels are made of the elementwise functions of \p G; none without such
/// functions. \p Registered: keys that get Register<Key>.cpp.
llvm::SmallVector<DispatchKey, 2> planUfuncs(const FunctionOrGroup &G,
                                             llvm::ArrayRef<DispatchKey> Registered);
/// "UfuncCPU_add.cpp", "UfuncCPUKernel_add.cpp"
std::vector<std::string> ufuncFileNames(llvm::StringRef Op, DispatchKey Key);

} // namespace opsig

#endif
