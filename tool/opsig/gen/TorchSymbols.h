//===- TorchSymbols.h - Whether a PyTorch has torch.SymInt --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_GEN_TORCHSYMBOLS_H
#define OPSIG_TOOL_GEN_TORCHSYMBOLS_H

#include "llvm/ADT/StringRef.h"

namespace opsig {

/// The PyTorch in the folder has torch.SymInt, as every one has whose Python files are not there.
bool hasSymbols(llvm::StringRef TorchRoot);

} // namespace opsig

#endif
