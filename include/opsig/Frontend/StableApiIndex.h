//===- StableApiIndex.h - What of PyTorch's headers is stable ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// include folder => headers of the stable ABI, the header-only part and the C shims
//   => (the preprocessor, once for each target that a condition asks for) lines that a target has
//   => (Clang's parser) StableApiIndex: symbols, functions, classes, macros, each with its targets
//
// Which releases there are, which headers, and what they hold is read there alone. A target is what
// TORCH_TARGET_VERSION is defined as: the oldest libtorch that a binary has to run with.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_STABLEAPIINDEX_H
#define OPSIG_FRONTEND_STABLEAPIINDEX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace opsig {

/// A value of TORCH_TARGET_VERSION: a release in its two highest bytes. 0: older than any release
/// that a condition in the headers asks for.
using StableVersion = uint64_t;

enum class StableKind : uint8_t {
  Symbol,   ///< a C function that libtorch exports
  Function, ///< defined in a header
  Class,
  Method, ///< public; constructors, too
  Field,  ///< public
  Enum,
  Enumerator,
  Alias,
  Variable,
  Macro,
};
llvm::StringRef kindText(StableKind Is);

struct StableItem {
  StableKind Is = StableKind::Symbol;
  /// Qualified, without inline and anonymous namespaces: "torch::stable::Tensor::size".
  std::string Name;
  /// As Clang writes the canonical type; of what a using declaration names, the other's name; ""
  /// of classes, enumerations and macros.
  std::string Type;
  /// Of functions and methods: with how many arguments they can be called.
  unsigned MinArgs = 0, MaxArgs = 0;
  /// The targets that have it: from Since on, below Until where that is not 0.
  StableVersion Since = 0, Until = 0;
  std::string Header; ///< as it is included: "torch/csrc/stable/ops.h"
  unsigned Line = 0;

  bool isIn(StableVersion Target) const {
    return Since <= Target && (Until == 0 || Target < Until);
  }
};

struct StableHeader {
  std::string Name; ///< as it is included
  /// The lowest target with anything of it; 0 where it does not depend on that.
  StableVersion Since = 0;
  /// It includes what no stable code may, so it is none of the surface.
  bool Refused = false;
  /// Headers that it, or one that it includes, asks for and that are not there: it was read in
  /// part.
  std::vector<std::string> Lacks;
};

struct StableApiIndex {
  std::string Folder;
  /// The targets that conditions in the headers ask for, ascending, without 0.
  std::vector<StableVersion> Targets;
  /// The release of the headers.
  StableVersion Newest = 0;
  std::vector<StableItem> Items; ///< by name, then in the order of headers and lines
  std::vector<StableHeader> Headers;

  /// All of this name: overloads, and what differs between targets.
  llvm::ArrayRef<StableItem> named(llvm::StringRef Name) const;
  /// The one of this name and kind that the lowest target has; null where there is none.
  const StableItem *find(StableKind Is, llvm::StringRef Name) const;
  /// Whether any target has something of this name.
  bool has(llvm::StringRef Name) const { return !named(Name).empty(); }
  const StableHeader *header(llvm::StringRef Name) const;
};

/// The surface of the headers in \p Folder (that has torch/), read with \p Flags besides. Fails
/// where no stable ABI is there.
llvm::Expected<StableApiIndex> readStableApiIndex(llvm::StringRef Folder,
                                                  llvm::ArrayRef<std::string> Flags = {});

/// "MAJOR.MINOR" of a target; "" of 0.
std::string targetText(StableVersion Target);
/// What a user wrote: "MAJOR.MINOR", or the number that the macro is defined as.
std::optional<StableVersion> parseTarget(llvm::StringRef Text);
/// Hexadecimal, what TORCH_TARGET_VERSION has to be defined as.
std::string targetNumber(StableVersion Target);

} // namespace opsig

#endif
