//===- SymInt.h - int where another schema has SymInt ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// two types or schemas, as str() writes them => whether int for SymInt is all that differs
//
// A kernel without symbolic ints serves both forms, so that generators and backends write either.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SCHEMA_SYMINT_H
#define OPSIG_SCHEMA_SYMINT_H

#include "llvm/ADT/StringRef.h"

namespace opsig {

/// Whether \p Ours is \p Other, or has `int` in places where \p Other has `SymInt`.
bool hasIntForSymInt(llvm::StringRef Ours, llvm::StringRef Other);

/// The same, whichever of both has the `int`.
inline bool isSameButForSymInt(llvm::StringRef L, llvm::StringRef R) {
  return hasIntForSymInt(L, R) || hasIntForSymInt(R, L);
}

} // namespace opsig

#endif
