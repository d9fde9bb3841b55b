//===- UfuncInternal.h - Kernels made from an elementwise function ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// structured group with ufunc_inner_loop => UfuncKernel (stub, impl) => CPU, vectorized CPU, CUDA
//
// The author writes a function template of one element (namespace ufunc); what is made is
// everything between it and the structured kernel: a stub that picks the vectorized variant, a
// switch over scalar types, and for CUDA functors that hold what is not a tensor.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_UFUNCINTERNAL_H
#define OPSIG_CODEGEN_UFUNCINTERNAL_H

#include "Print/CppInternal.h"
#include "opsig/Dialect/OutputTraits.h"

namespace opsig {

/// Keys for which kernels are made of the elementwise functions of \p G; none without such
/// functions. \p Registered: keys that get Register<Key>.cpp.
llvm::SmallVector<DispatchKey, 2> planUfuncs(const FunctionOrGroup &G,
                                             llvm::ArrayRef<DispatchKey> Registered);
/// "UfuncCPU_add.cpp", "UfuncCPUKernel_add.cpp"
std::vector<std::string> ufuncFileNames(llvm::StringRef Op, DispatchKey Key);

/// What the files of an operator share.
struct UfuncKernel {
  const NativeFunctionsGroup *Group;
  const Dialect *D;
  std::string Name; ///< "add"
  /// Of the kernel behind the stub, after the iterator: what is not a tensor.
  std::vector<Binding> StubParams;

  static UfuncKernel of(const NativeFunctionsGroup &G, const Dialect &D);

  const UfuncInnerLoop *loop(UfuncKey Key) const;
  /// The structured kernel's function under \p Key: "ufunc_add_CPU".
  std::string implName(DispatchKey Key) const;
  /// "TORCH_IMPL_FUNC(ufunc_add_CPU)(const at::Tensor & self, ...)".
  std::string implDefn(DispatchKey Key) const;
  /// "void add_kernel(TensorIteratorBase& iter, const at::Scalar & alpha)".
  std::string kernelDefn() const;
  /// What follows DECLARE_DISPATCH(...) and REGISTER_DISPATCH(...).
  llvm::StringRef macroEnd() const { return D->Output.DispatchMacrosEndInSemicolon ? ";" : ""; }
  /// Declaration of the stub and its type, a line each.
  std::string stubDeclaration() const;
  /// Arguments for StubParams from the structured kernel's parameters.
  std::string stubArguments(FirstError &Failed) const;
};

/// A call of ufunc::\p Loop where tensors and scalars are of type \p Compute.
std::string callUfunc(const UfuncKernel &K, llvm::StringRef Loop, const std::vector<Expr> &Have,
                      const CType &Compute, FirstError &Failed);

/// The type of \p A where tensors and scalars are of type \p Compute: others are values.
CType ufuncType(const Argument &A, const CType &Compute);

/// \p Binding as a value at hand.
Expr asExpr(const Binding &B);

/// A scalar type, and what is done for it, on lines of its own.
struct DtypeCase {
  llvm::StringRef Dtype;
  std::string Body;
};
/// The kernel: a switch over scalar types; \p Label is what errors at run time name.
std::string dtypeSwitch(const UfuncKernel &K, llvm::StringRef Label,
                        llvm::ArrayRef<DtypeCase> Cases);

/// The definitions in UfuncCPU_<op>.cpp, UfuncCPUKernel_<op>.cpp and UfuncCUDA_<op>.cu. They fail
/// where loops do not suffice or arguments do not fit.
std::string ufuncCpu(const UfuncKernel &K, FirstError &Failed);
std::string ufuncCpuKernel(const UfuncKernel &K, FirstError &Failed);
std::string ufuncCuda(const UfuncKernel &K, FirstError &Failed);

} // namespace opsig

#endif
