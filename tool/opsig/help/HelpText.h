//===- HelpText.h - Help in a terminal --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_HELP_HELPTEXT_H
#define OPSIG_TOOL_HELP_HELPTEXT_H

#include "help/CommandText.h"

namespace opsig {

/// What opsig is for, and a line or two on each of \p Commands; with \p IsAll also where to start.
void printOverview(llvm::raw_ostream &OS, llvm::ArrayRef<CommandText> Commands, bool IsAll,
                   unsigned Columns);

/// All options of one.
void printHelp(llvm::raw_ostream &OS, const CommandText &Command, unsigned Columns);

} // namespace opsig

#endif
