//===- ModuleInternal.h - From functions of pybind11's to operators -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BoundFunction => its schema (ModuleSchema.cpp)
// PythonModule => blocks of operators (ModuleRules.cpp)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_STABLEABI_RULES_MODULEINTERNAL_H
#define OPSIG_LIB_STABLEABI_RULES_MODULEINTERNAL_H

#include "Rules/StableInternal.h"
#include "opsig/Frontend/PythonModule.h"

namespace opsig {

bool isIdentifier(llvm::StringRef Name);

/// The schema of a function's operator. None, and \p Why, where there is none.
std::optional<std::string> schemaOf(const BoundFunction &Bound, const TypeNames &Names,
                                    const SchemaMarks &Marks, std::string &Why);

} // namespace opsig

#endif
