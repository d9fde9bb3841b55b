//===- StubHeaders.h - Headers of toolkits that are not installed --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_STANDINS_H
#define OPSIG_TOOL_STANDINS_H

#include "opsig/Frontend/Parse.h"

namespace opsig {

/// Lets every job of \p Commands find headers of CUDA, HIP, MUSA and OpenMP, the last of all: those
/// of a toolkit go before. A source for a GPU includes what its compiler would include first.
void addStubHeaders(CompileCommands &Commands);

} // namespace opsig

#endif
