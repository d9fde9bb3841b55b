//===- ShimTraits.h - A release's AOTI C shims -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_DIALECT_SHIMTRAITS_H
#define OPSIG_DIALECT_SHIMTRAITS_H

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

/// What a shim hands to the operator for an argument that it does not take.
enum class ShimLeftOut : uint8_t {
  /// ::std::nullopt, whatever its type.
  Nullopt,
  /// Its default, where it has one.
  Default,
};

/// A shim that is not the first of its operator, or that says since when it is there.
struct ShimVersion {
  llvm::StringRef Op;
  unsigned Number = 1; ///< of a later one: a part of its name
  /// Arguments that this shim takes and earlier ones do not.
  llvm::ArrayRef<llvm::StringRef> NewArguments = {};
  /// "TORCH_VERSION_2_12_0": a caller that wants no newer release than this does not see it.
  llvm::StringRef Since = "";
};

/// How the text of a shim is laid out.
enum class ShimLayout : uint8_t {
  /// Blanks indent it; a tensor that is handed out is followed by two semicolons; the last #endif
  /// above the shims stands alone.
  Blanks,
  /// Tabs indent what hands results out, which ends in a line end, too; that #endif says in a
  /// comment what it ends.
  Tabs,
};

/// Which operators have a shim, and what stands around the shims.
enum class ShimShape : uint8_t {
  /// All that are not tagged pointwise and have a kernel of the device or one that is explicitly
  /// composite, in their own order. Inplace functions hand out what they return; generators have no
  /// C form. The headers are made anew like any other file.
  OfAllOps,
  /// Those of DeviceOps and GenericOps, whose implicit composite kernels and those of delegates
  /// serve as well. A warning stands first. The headers are kept under version control, and so
  /// compared, and written only when they are to change.
  OfListedOps,
};

/// Facts of the AOTI C shims, for releases that have them (AtenTraits: HasAotiShims).
struct ShimTraits {
  ShimTensors Tensors;
  /// Devices that have a file, where the build asks for them.
  llvm::ArrayRef<DispatchKey> Devices;
  /// A device without Register<Key>.cpp has no file.
  bool OnlyRegisteredDevices;
  /// Names of the operators with a shim per device, and of those with one for all devices (none:
  /// there is no such file), in the order of their shims.
  llvm::ArrayRef<llvm::StringRef> DeviceOps;
  llvm::ArrayRef<llvm::StringRef> GenericOps;
  /// What is particular to shims of either; those of one operator by their number.
  llvm::ArrayRef<ShimVersion> Versions;
  ShimLeftOut LeftOut;
  /// A function whose name has one of these in it may be given null for results.
  llvm::ArrayRef<llvm::StringRef> NullableResults;
  llvm::StringRef StringView;
  ShimLayout Layout;
  ShimShape Shape;
};

} // namespace opsig

#endif
