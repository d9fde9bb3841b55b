//===- FindPython.h - The python3 that reads Python files ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_WORKSPACE_FINDPYTHON_H
#define OPSIG_WORKSPACE_FINDPYTHON_H

#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>

namespace opsig {

/// The first python3 on the PATH that is not below one of \p Untrusted (findProgram()); where that
/// is a shim of pyenv, what it starts.
std::optional<std::string> findPython(llvm::ArrayRef<std::string> Untrusted);

} // namespace opsig

#endif
