//===- ShimFacts.h - A release's AOTI C shims -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_DIALECT_SHIMFACTS_H
#define OPSIG_DIALECT_SHIMFACTS_H

#include "opsig/Dialect/DispatchKey.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace opsig {

/// How the AOTI C shims hand tensors on.
enum class ShimTensors : uint8_t {
  /// As they are.
  AsTheyAre,
  /// Those that are read with their conjugation and negation resolved.
  Resolved,
};

/// Facts of the AOTI C shims, for releases that have them (AtenFacts: HasAotiShims).
struct ShimFacts {
  ShimTensors Tensors;
  /// Devices that have a file. Without kernels of MPS and XPU there is none for these.
  llvm::ArrayRef<DispatchKey> Devices;
  /// A device without Register<Key>.cpp has no file.
  bool OnlyRegisteredDevices;
  /// Names of the operators with a shim per device, and of those with one for all devices (none:
  /// there is no such file), in the order of their shims.
  llvm::ArrayRef<llvm::StringRef> DeviceOps;
  llvm::ArrayRef<llvm::StringRef> GenericOps;
  /// A function whose name has one of these in it may be given null for results.
  llvm::ArrayRef<llvm::StringRef> NullableResults;
  llvm::StringRef StringView;
  /// The last #endif above the shims says in a comment what it ends.
  bool NamesLastEndif;
};

} // namespace opsig

#endif
