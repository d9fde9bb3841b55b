//===- KeyTraits.h - What a release knows of dispatch keys -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_DIALECT_KEYTRAITS_H
#define OPSIG_DIALECT_KEYTRAITS_H

#include "opsig/Dialect/DispatchKey.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace opsig {

/// Facts about dispatch keys.
struct KeyTraits {
  /// Of all DispatchKey names, those that this release does not have.
  llvm::ArrayRef<DispatchKey> Unknown;
  /// Names of keys that the release says it has, and of which nothing is known here. Their kernels
  /// are left out.
  llvm::ArrayRef<llvm::StringRef> Foreign;
  /// Keys accepted in `dispatch:`; also the order of the Register<Key>.cpp files.
  llvm::ArrayRef<DispatchKey> Dispatch;
  /// What libtorch takes for a key where it is given as a string, as by STABLE_TORCH_LIBRARY_IMPL;
  /// none where that is not known.
  llvm::ArrayRef<llvm::StringRef> Strings;
  /// Of Dispatch: accepted, but dropped unless the build asks for them.
  llvm::ArrayRef<DispatchKey> DroppedByDefault;
  llvm::ArrayRef<DispatchKey> Structured;
  llvm::ArrayRef<DispatchKey> Ufunc;
  /// The in-tree wrappers of XPU's keys check devices and set a device guard, as CUDA's do.
  bool XpuHasDeviceGuard;
  /// Structured kernels of XPU guard the device of their outputs, as CUDA's do.
  bool XpuGuardsOutputs;
  /// Keys with an at::detail::empty_<key> of their own.
  llvm::ArrayRef<DispatchKey> OwnEmpty;
};

} // namespace opsig

#endif
