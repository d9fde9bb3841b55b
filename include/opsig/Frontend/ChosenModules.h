//===- ChosenModules.h - Python files that are loaded in some cases only ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// texts of the project's files => which of them are imported only in some cases, one or the other
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_CHOSENMODULES_H
#define OPSIG_FRONTEND_CHOSENMODULES_H

#include "opsig/Frontend/PythonImports.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>

namespace opsig {

/// The modules that the code of \p Text imports in blocks, by `if` and the like: "pkg.mod", ".mod".
/// Where it may be a module or a name of one, both.
std::vector<std::string> importsInBlocks(llvm::StringRef Text);

/// The files of \p Modules that others import only in blocks, each with the name of the module, or
/// of the package around it, that is imported so. \p TextOf is asked for each file.
std::map<std::string, std::string>
chosenModules(const PythonModules &Modules,
              llvm::function_ref<std::string(llvm::StringRef File)> TextOf);

} // namespace opsig

#endif
