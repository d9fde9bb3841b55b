//===- AtenTraits.h - A release's in-tree generator as a whole ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_DIALECT_ATENTRAITS_H
#define OPSIG_DIALECT_ATENTRAITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace opsig {

/// How RegisterSchema.cpp hands tags to m.def.
enum class SchemaTags : uint8_t {
  /// In braces; nothing where there are none.
  InBraces,
  /// Every combination is a vector of its own, made where it is first used; "{}" where there are
  /// none.
  SharedVectors,
};

/// How the lists of files (`-o`) are laid out.
enum class FileListShape : uint8_t {
  /// "set(NAME" and the last path with ")" behind it; paths as they were given; cuda before ops.
  Compact,
  /// As before, but lists of devices come last, and there may be one of XPU.
  CompactByDevice,
  /// NAME and ")" have lines of their own, and paths are normalized.
  OwnLines,
};

/// Facts of the in-tree generator as a whole, and of its small files.
struct AtenTraits {
  FileListShape Lists;
  /// The AOTI C shims are written, too.
  bool HasAotiShims;
  /// Updating the shims' headers asks for the keys of every device that has one.
  bool ShimUpdateNeedsDevices;
  SchemaTags Tags;
  /// enum_tag.h goes to a folder of its own, which an option names; no list names that file.
  bool HasHeaderOnlyFolder;
  /// The YAML of a selective build may have `et_kernel_metadata`.
  bool SelectionHasEtKernels;
  /// Namespaces whose schemas may be spread over several libraries.
  llvm::ArrayRef<llvm::StringRef> FragmentNamespaces;
};

} // namespace opsig

#endif
