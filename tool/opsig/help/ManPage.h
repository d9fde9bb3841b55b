//===- ManPage.h - Help as man pages ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_HELP_MANPAGE_H
#define OPSIG_TOOL_HELP_MANPAGE_H

#include "help/CommandText.h"

namespace opsig {

/// opsig(1), which names all subcommands.
void printManPage(llvm::raw_ostream &OS, llvm::ArrayRef<CommandText> Commands);

/// opsig-check(1) and the like.
void printManPage(llvm::raw_ostream &OS, const CommandText &Command);

} // namespace opsig

#endif
