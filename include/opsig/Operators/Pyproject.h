//===- Pyproject.h - Settings in pyproject.toml -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_OPERATORS_PYPROJECT_H
#define OPSIG_OPERATORS_PYPROJECT_H

#include "llvm/ADT/StringRef.h"

namespace opsig {

inline constexpr llvm::StringRef PyprojectName = "pyproject.toml";

/// Whether \p Text, of a pyproject.toml, has a table tool.opsig; also where the text has an error
/// and names that table.
bool hasOpsigTable(llvm::StringRef Text);

} // namespace opsig

#endif
