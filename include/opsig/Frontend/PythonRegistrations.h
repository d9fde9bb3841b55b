//===- PythonRegistrations.h - What Python files register ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON of share/python/torch_library.py => UnitFacts*, as if their blocks stood in C++
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_PYTHONREGISTRATIONS_H
#define OPSIG_FRONTEND_PYTHONREGISTRATIONS_H

#include "opsig/Frontend/UnitFacts.h"
#include "llvm/Support/Error.h"

namespace opsig {

/// One unit for each whole line of \p Json, which are about the first ones of \p Files. Kernels are
/// boxed: they have no C++ signature. A file that could not be read has an error, as a source with
/// one. Fails where \p Json is something else.
llvm::Expected<std::vector<UnitFacts>> readPythonRegistrations(llvm::StringRef Json,
                                                               llvm::ArrayRef<std::string> Files);

/// A unit for \p File, of which nothing is known because of \p Why.
UnitFacts unreadPython(llvm::StringRef File, std::string Why);

} // namespace opsig

#endif
