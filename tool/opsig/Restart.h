//===- Restart.h - A run that had to end begins again -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the memory of a process is full of goes only with the process. The next one has the same
// words, in the same folder, and what this one has found out about files (HardFiles of
// opsig/Frontend/Parse.h), in a variable of the environment that no child of it gets.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_RESTART_H
#define OPSIG_TOOL_RESTART_H

#include "opsig/Frontend/Parse.h"

namespace opsig {

/// Takes in what the run before this one has left, where there was one. \p Argv is kept.
void rememberRun(const char **Argv);

/// Does not return, unless this has been tried too often, or not where a language server runs:
/// nobody would say again what the editor has told it.
void startAgain(const HardFiles &Files);

} // namespace opsig

#endif
