//===- OutputTraits.h - How a release writes generated files -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_DIALECT_OUTPUTTRAITS_H
#define OPSIG_DIALECT_OUTPUTTRAITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace opsig {

/// Where a Register<Key>.cpp has its helper functions (create_out, resize_out ...).
enum class HelperPlace : uint8_t {
  /// Once per kernel namespace, inside its anonymous namespace.
  KernelNamespace,
  /// Once per file, in `namespace at { namespace {`.
  FileTop,
};

/// How the class of a structured kernel holds tensors that it makes.
enum class OutputHolder : uint8_t {
  /// c10::ExclusivelyOwned<Tensor>
  ExclusivelyOwned,
  /// Tensor
  Plain,
};

/// How a function of VmapGeneratedPlumbing.h checks for a layer and takes tensors apart.
enum class VmapShape : uint8_t {
  /// Asserts the layer; declares value and dimension, then ties them.
  AssertsLayer,
  /// Checks the layer in a call that names the kind of function; ties.
  ChecksLayer,
  /// Checks likewise; binds value and dimension of tensors that are not optional.
  BindsTensors,
};

/// How the structs of at::_ops hold their name, overload and schema.
enum class OperatorStrings : uint8_t {
  /// STATIC_CONSTEXPR_STR_INL_EXCEPT_WIN_CUDA(...), defined in Operators_N.cpp.
  Macros,
  /// static constexpr members.
  Constants,
};

/// How factory wrappers of CUDA keys make CUDA ready.
enum class CudaStart : uint8_t {
  /// lazyInitCUDA()
  Cuda,
  /// lazyInitDevice(...), which serves every kind of device.
  AnyDevice,
};

/// The templates of `namespace symint`, and how they test what T is.
enum class SymIntTemplates : uint8_t {
  /// There are none.
  None,
  /// std::is_same<...>::value
  IsSame,
  /// std::is_same_v<...>
  IsSameV,
};

/// What a build for ROCm takes for CUDA's guard.
enum class RocmGuard : uint8_t {
  /// c10::hip::OptionalHIPGuardMasqueradingAsCUDA, from ATen's implementation of guards.
  Masquerading,
  /// c10::cuda::OptionalCUDAGuard, as it is spelled for CUDA; <c10/hip/HIPGuard.h>.
  CudaName,
};

/// Facts of generated files.
struct OutputTraits {
  /// `wrapper_<KEY>_<overload>_<name>` (true) or `wrapper_<overload>_<name>`.
  bool WrapperNamesHaveKey;
  HelperPlace Helpers;
  /// A semicolon follows the brace that closes a TORCH_LIBRARY_IMPL block.
  bool LibraryBlocksEndInSemicolon;
  /// `std::optional` or `c10::optional` inside helper functions and device checks.
  llvm::StringRef HelperOptional;
  llvm::StringRef HelperNullopt;
  /// `std::nullopt` or `nullopt` in `common_device = ...`.
  llvm::StringRef DeviceCheckNullopt;
  /// Trailing blanks of block holes in templates are cut.
  bool TrimsTemplateLines;
  /// Out/inplace wrappers of ops without returns copy into the one out argument.
  bool VoidOutWrappers;
  /// Helper functions may be unused without a warning; <c10/macros/Macros.h>, which has what that
  /// takes, is the last of the headers.
  bool SilencesUnusedHelpers;
  /// The generated comment names the running script (true) or always torchgen/gen.py.
  bool CommentNamesScript;
  CudaStart Cuda;
  OutputHolder StructuredOutputs;
  /// The functions that a structured kernel's outputs come from take names of dimensions.
  bool NamesOutputDimensions;
  RocmGuard Rocm;
  /// Structured kernels of XPU are exported as TORCH_XPU_API: they are in a library of their own.
  bool ExportsXpuKernels;
  /// A semicolon follows DECLARE_DISPATCH(...) and REGISTER_DISPATCH(...).
  bool DispatchMacrosEndInSemicolon;
  /// Register<Key>.cpp is written in shards, and every group of functions has blocks of its own.
  bool ShardsRegistrations;
  OperatorStrings Strings;
  SymIntTemplates SymInts;
  /// RegistrationDeclarations.h leaves out `at::`.
  bool RegistrationTypesOmitAt;
  VmapShape Vmap;
  /// Functions (overload joined to the name by "_") that get vmap plumbing although they return
  /// more than tensors.
  llvm::ArrayRef<llvm::StringRef> VmapDespiteReturns;
};

} // namespace opsig

#endif
