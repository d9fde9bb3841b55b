//===- OwnFlags.h - Flags that the user gives -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_FRONTEND_OWNFLAGS_H
#define OPSIG_FRONTEND_OWNFLAGS_H

#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace opsig {

/// \p Given with the words of FILE in place of each `@FILE`, whatever file that is. Where a project
/// says `@FILE`, it has to be a file of it, or one that is named as a file of options.
std::vector<std::string> ownFlags(llvm::ArrayRef<std::string> Given);

} // namespace opsig

#endif
