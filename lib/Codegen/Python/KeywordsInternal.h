//===- KeywordsInternal.h - Words that Python keeps for itself ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_CODEGEN_PYTHON_KEYWORDSINTERNAL_H
#define OPSIG_LIB_CODEGEN_PYTHON_KEYWORDSINTERNAL_H

#include "llvm/ADT/StringRef.h"

namespace opsig {

/// No attribute, parameter or variable has such a name.
bool isPythonKeyword(llvm::StringRef Name);

} // namespace opsig

#endif
