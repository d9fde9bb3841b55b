//===- StructuredKernelInternal.h - Kernels that run a meta function first --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// structured group x BackendIndex => StructuredKernel* => class + wrapper
//
// The author of a structured operator writes a meta function, which computes shapes, and per
// backend an impl function, which fills outputs that exist already. The class made here derives
// from both: it says what becomes of an output once its shape is known. The wrapper makes an object
// of it, and calls meta and impl.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_STRUCTUREDKERNELINTERNAL_H
#define OPSIG_CODEGEN_STRUCTUREDKERNELINTERNAL_H

#include "opsig/Codegen/UnstructuredWrapper.h"

namespace opsig {

struct StructuredKernel {
  const NativeFunctionsGroup *Group;
  /// The member of the group that is registered: functional, out or inplace.
  const NativeFunction *Function;

  /// What follows the meta function.
  enum class Then : uint8_t {
    Nothing, ///< key Meta
    CallOut, ///< the key for all backends: their out function is called through the dispatcher
    Impl,
  } After;

  std::string ClassName;   ///< "structured_add_out_inplace"
  std::string ParentClass; ///< "at::native::structured_add_out"
};

/// Whether the members of \p G have structured kernels under the key of \p Index: a structured one
/// is listed, or the key gets one for every structured group.
bool isStructured(const NativeFunctionsGroup &G, const BackendIndex &Index);

/// Of such a group, in group order. The key for all backends has no out function, which is what
/// backends define.
std::vector<StructuredKernel> planStructuredKernels(const NativeFunctionsGroup &G,
                                                    const BackendIndex &Index);

/// The wrapper's signature: the native convention.
Signature structuredSignature(const NativeFunction &F, const BackendIndex &Index,
                              const Lowering &L);

/// The class; \p Rocm: with the device guard that CUDA has there.
std::string structuredClass(const StructuredKernel &K, const BackendIndex &Index, bool Rocm,
                            const Dialect &D);

/// The class, and the wrapper that uses it. Fails, telling why, where arguments do not fit.
llvm::Expected<std::string> structuredDefinition(const StructuredKernel &K,
                                                 const BackendIndex &Index, bool Rocm,
                                                 const Dialect &D);

/// Whether the class sets a device guard, once it knows the outputs.
bool guardsOutputs(DispatchKey Key, const Dialect &D);

/// Whether outputs need a dereference ("*") of the member that holds them.
bool holdsPointers(const StructuredKernel &K, const Dialect &D);

} // namespace opsig

#endif
