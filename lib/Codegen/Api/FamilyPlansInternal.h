//===- FamilyPlansInternal.h - What small families make of a function -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// function => what a family makes of it, or why nothing => its text | (OpPlan.h) what is shown
//
// Each is decided in the source file of its family.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CODEGEN_API_FAMILYPLANSINTERNAL_H
#define OPSIG_LIB_CODEGEN_API_FAMILYPLANSINTERNAL_H

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

//===-- ops/<op>_native.h, NativeFunctions.h --------------------------------===//

enum class KernelDeclaration : uint8_t {
  Function,
  StructuredClass, ///< of the out function, with the meta class as its base
  Elsewhere,       ///< `legacy::`: PyTorch declares it by hand
};
KernelDeclaration planDeclaration(const KernelEntry &Kernel);

} // namespace opsig

#endif
