//===- WrapperPlan.h - Which functions a key registers, and how -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// function or group x BackendIndex => Wrapper (kind, kernel) => device handling
//   => (lib/Codegen/Register) what is printed
//
// Nothing is printed here. A function that gets no Wrapper is served by whatever the dispatcher
// falls back to: a composite kernel, a boxed fallback, or an error when it is called.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_WRAPPERPLAN_H
#define OPSIG_CODEGEN_WRAPPERPLAN_H

#include "opsig/Operators/Operators.h"

namespace opsig {

enum class WrapperKind : uint8_t {
  /// The index lists a kernel for the function; the wrapper calls it.
  CallKernel,
  /// Only the functional form has a kernel: the wrapper calls that form's wrapper and copies its
  /// results into the written arguments.
  CopyFromFunctional,
  /// Key Meta, an inplace function without any kernel: self has its shape already.
  ReturnSelf,
};

/// A registration of an unstructured function under one key.
struct Wrapper {
  const NativeFunction *Function;
  WrapperKind Kind;
  /// Of CallKernel the function's own, of CopyFromFunctional the functional form's; null of
  /// ReturnSelf.
  const KernelEntry *Kernel = nullptr;
  /// Of CopyFromFunctional: the form that has a kernel.
  const NativeFunction *Functional = nullptr;
};

/// Why a function has no wrapper under a key.
enum class Unregistered : uint8_t {
  ByHand,         ///< manual_kernel_registration
  NoKernel,       ///< nothing is listed for it that a wrapper could call
  Composite,      ///< likewise, but it has a kernel for many keys at once
  UnusedKey,      ///< no function lists the key
  LeftToBackends, ///< the out function of a structured group, under the key for all backends
};

/// What becomes of \p F under the key of \p Index; \p Functional is the functional form of its
/// group, null outside of groups. Structured kernels are not planned here.
std::variant<Wrapper, Unregistered>
planWrapper(const NativeFunction &F, const NativeFunction *Functional, const BackendIndex &Index);

/// The wrappers of \p Ops under the key of \p Index, in the order in which they are emitted.
/// Structured kernels are not planned here: an external backend has none, and registers the members
/// of a structured group one by one.
std::vector<Wrapper> planWrappers(const Operators &Ops, const BackendIndex &Index);

/// What a CallKernel wrapper does about devices before the call.
struct DeviceHandling {
  /// Whether tensors are compared; then CheckedArgs names those that must share one device, if any.
  bool Checks = false;
  std::vector<llvm::StringRef> CheckedArgs;

  enum class Guard : uint8_t {
    None,
    OfOptions,  ///< the device that tensor options ask for
    OfArgument, ///< the device of GuardArg
  } Guards = Guard::None;
  llvm::StringRef GuardArg;
  /// CUDA wants to be initialised before the first tensor is made there.
  bool InitialisesCuda = false;
};
DeviceHandling planDevices(const NativeFunction &F, const BackendIndex &Index);

/// How a CopyFromFunctional wrapper hands the results on.
struct CopyBack {
  enum class Shape : uint8_t {
    One,         ///< the one result into Targets[0], which is returned
    Tuple,       ///< result i into Targets[i]; all are returned
    VoidOne,     ///< as One, but nothing is returned
    VoidPerItem, ///< item by item into the list Targets[0]; nothing is returned
  } Is;
  /// Written arguments.
  std::vector<std::string> Targets;
  /// An out function may have to resize its arguments, an inplace one must not.
  bool Resizes;
};
/// Fails, telling why, for a function that has no such wrapper.
llvm::Expected<CopyBack> planCopyBack(const NativeFunction &F, const Dialect &D);

} // namespace opsig

#endif
