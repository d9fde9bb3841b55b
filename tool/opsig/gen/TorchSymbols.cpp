//===- TorchSymbols.cpp - Whether a PyTorch has torch.SymInt ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gen/TorchSymbols.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/Support/MemoryBuffer.h"

namespace opsig {

bool hasSymbols(llvm::StringRef TorchRoot) {
  auto File =
      llvm::MemoryBuffer::getFile(joinedPath(joinedPath(TorchRoot, "torch"), "__init__.py"));
  return TorchRoot.empty() || !File || (*File)->getBuffer().contains("\nclass SymInt");
}

} // namespace opsig
