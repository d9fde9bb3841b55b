//===- TorchSearchInternal.h - Where a PyTorch may be installed -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// folder that the user works in + environment + PATH => TorchRoot*, the first one counts most
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_WORKSPACE_TORCHSEARCHINTERNAL_H
#define OPSIG_LIB_WORKSPACE_TORCHSEARCHINTERNAL_H

#include "opsig/Workspace/TorchRoot.h"

namespace opsig {

/// The root that a user means by \p Dir: the folder itself, the folder above a package `torch`, or
/// the packages of a virtual or conda environment. None where there is no PyTorch with schemas.
std::optional<TorchRoot> torchRootNamed(llvm::StringRef Dir);

/// The source tree of PyTorch that \p Dir is in, if its version is known.
std::optional<TorchRoot> torchTreeAround(llvm::StringRef Dir);

} // namespace opsig

#endif
