//===- BackendDiff.h - What a new release means for a backend's YAML --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ExternalBackend of the old release x ReleaseDiff => the same backend in the new release
//   + per entry: gone, renamed, another signature ...
//   + operators that the backend has to serve itself from now on
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_RELEASEDIFF_BACKENDDIFF_H
#define OPSIG_RELEASEDIFF_BACKENDDIFF_H

#include "opsig/ReleaseDiff/ReleaseDiff.h"

namespace opsig {

/// What happens to one line of the YAML.
struct BackendEntryChange {
  enum Kind : uint8_t {
    Gone,          ///< there is no such operator any more
    Renamed,       ///< it has another name
    Signature,     ///< its kernel must have another signature
    SymIntGone,    ///< it stands under `symint:`, and its schema has no SymInt any more
    SymIntOffered, ///< it may stand under `symint:` now
    Alias,         ///< its kernel writes to, or returns, other arguments
  } Is;
  const NativeFunction *Function; ///< of the old release
  Place At;                       ///< the line
  /// Of Signature: the kernel's declarations. Of Renamed: the names. Of Alias: the schemas.
  std::string From, To;
};
llvm::StringRef toString(BackendEntryChange::Kind Kind);

struct BackendDiff {
  const ExternalBackend *Backend = nullptr;
  /// In the order of the YAML: supported, full_codegen, autograd.
  std::vector<BackendEntryChange> Entries;
  /// Operators of the new release that it does not list, and that PyTorch had a kernel of its own
  /// for; with the old ones.
  std::vector<const NativeFunction *> LostDefault;
  /// New operators without such a kernel.
  std::vector<const NativeFunction *> NewWithoutDefault;
  /// The key has kernels in native_functions.yaml now, and can be no backend's any more.
  bool KeyTaken = false;
};

BackendDiff compareBackend(const ExternalBackend &Backend, const ReleaseDiff &Diff);

/// An operator that a backend does not list, and that PyTorch does not serve for it any more, or
/// not yet.
struct BackendOffer {
  enum Kind : uint8_t {
    LostDefault, ///< PyTorch served every backend before
    Variant,     ///< it is new, and the backend lists another one of that name
  } Is;
  const NativeFunction *Function; ///< of the new release
  const NativeFunction *Relative; ///< of a Variant: what is listed
};

struct BackendOffers {
  /// First those that PyTorch served, in the order of the new release each.
  std::vector<BackendOffer> Offers;
  /// New ones besides that need a kernel, and have nothing to do with what the backend lists.
  size_t Others = 0;
};

/// What \p Backend, which was read with the new release, may want to serve besides.
BackendOffers offersFor(const ExternalBackend &Backend, const ReleaseDiff &Diff);

/// \p Backend as the new release would read its YAML, without the lines of operators that are gone
/// or renamed. Places are in \p Yaml, which is the same file among those of the new release.
ExternalBackend followBackend(const ExternalBackend &Backend, const ReleaseDiff &Diff,
                              SourceId Yaml);

} // namespace opsig

#endif
