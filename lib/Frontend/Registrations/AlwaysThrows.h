//===- AlwaysThrows.h - Statements that no way leads through ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `TORCH_CHECK(false, ...)`, `{ warn(); throw Error(); }`, `if (a) abort(); else throw Error();`
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_REGISTRATIONS_ALWAYSTHROWS_H
#define OPSIG_LIB_FRONTEND_REGISTRATIONS_ALWAYSTHROWS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

namespace opsig {

/// Who comes to \p S gets an exception, or never comes back. False where that is not certain.
bool alwaysThrows(const clang::Stmt *S, const clang::ASTContext &Context);

} // namespace opsig

#endif
