//===- WordCheck.h - What is wrong with the words of a command line ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_HELP_WORDCHECK_H
#define OPSIG_TOOL_HELP_WORDCHECK_H

#include "help/CommandText.h"

namespace opsig {

/// All options among \p Words (what follows the subcommand) that do not exist, lack their value or
/// have one that is none; with what may have been meant.
std::vector<std::string> wrongOptions(llvm::ArrayRef<std::string> Words,
                                      const CommandText &Command);

} // namespace opsig

#endif
