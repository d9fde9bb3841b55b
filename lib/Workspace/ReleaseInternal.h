//===- ReleaseInternal.h - Which rules a PyTorch is held to -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// torch root + version => dialect, the root's own lists over it, what the user should know of both
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_WORKSPACE_RELEASEINTERNAL_H
#define OPSIG_LIB_WORKSPACE_RELEASEINTERNAL_H

#include "opsig/Workspace/Schemas.h"

namespace opsig {

/// Which versions are stated, before the rules are chosen.
struct ReleaseQuestion {
  std::optional<TorchVersion> OfRoot;   ///< what the torch root says
  std::optional<TorchVersion> Expected; ///< what the user, or the headers, say
  std::string From = {};                ///< where the user says so; "" where it is the headers
};

/// Fills in the version, the dialect and what belongs to it, by \p Source's torch root. False where
/// nothing says which release it is.
bool chooseRelease(const ReleaseQuestion &Question, SchemaSource &Source);

/// "; remove this setting to use the rules of ..." with the release of the root, which belongs
/// behind UnknownRelease; "" where the root says no release.
std::string withoutSetting(const SchemaSource &Source);

} // namespace opsig

#endif
