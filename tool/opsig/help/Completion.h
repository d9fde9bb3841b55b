//===- Completion.h - opsig's words in a shell ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_HELP_COMPLETION_H
#define OPSIG_TOOL_HELP_COMPLETION_H

#include "help/CommandText.h"

namespace opsig {

enum class Shell { Bash, Zsh, Fish };

/// Prints a script that completes subcommands, options, values that are known, names of checks, and
/// files and folders elsewhere.
void printCompletion(llvm::raw_ostream &OS, Shell For, llvm::ArrayRef<CommandText> Commands);

} // namespace opsig

#endif
