//===- ReleaseInternal.h - Which rules a PyTorch is held to -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// torch root + version => dialect, the root's own lists over it, what the user should know of both
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CHECK_RELEASEINTERNAL_H
#define OPSIG_LIB_CHECK_RELEASEINTERNAL_H

#include "opsig/Check/Schemas.h"

namespace opsig {

/// What is known of a release before its rules are chosen.
struct ReleaseQuestion {
  /// The torch root, or the tree that the schemas are in; "" without.
  std::string Root;
  std::optional<llvm::VersionTuple> OfRoot; ///< what Root says
  std::optional<llvm::VersionTuple> Wanted; ///< what the user, or the headers, say
};

/// Fills in the dialect and what belongs to it. False where nothing says which release it is.
bool chooseRelease(const ReleaseQuestion &Question, SchemaSource &Source);

} // namespace opsig

#endif
