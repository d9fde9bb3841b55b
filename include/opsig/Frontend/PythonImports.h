//===- PythonImports.h - Which file a Python name comes from ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// a name that a file imports, the project's files => a file, and the name there
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_PYTHONIMPORTS_H
#define OPSIG_FRONTEND_PYTHONIMPORTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace opsig {

struct PythonImport {
  size_t File;      ///< among those that were given
  std::string Name; ///< "f", or "Class.f"
};

/// The file of \p Files that \p Import of \p From stands for; nothing where none does, or where
/// several may. \p Import: "pkg.mod.f", or ".mod:f" where it is relative.
std::optional<PythonImport> findPythonImport(llvm::StringRef From, llvm::StringRef Import,
                                             llvm::ArrayRef<llvm::StringRef> Files);

} // namespace opsig

#endif
