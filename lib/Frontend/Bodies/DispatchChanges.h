//===- DispatchChanges.h - code that changes the choice of kernels ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// guards, classes that hold one, functions that set the thread's keys
//   => whether the dispatcher may choose otherwise afterwards than before
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_BODIES_DISPATCHCHANGES_H
#define OPSIG_LIB_FRONTEND_BODIES_DISPATCHCHANGES_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"

namespace opsig {

/// Each class and each function is read once.
class DispatchChanges {
public:
  /// An object of the class, or what it holds, may change the choice as long as it lives.
  bool ofType(clang::QualType T);
  /// The choice may be another one after a call of \p F than before.
  bool ofFunction(const clang::FunctionDecl &F);
  /// The choice may change anywhere in \p Body.
  bool ofBody(const clang::Stmt &Body);

private:
  bool ofClass(const clang::CXXRecordDecl &Class);

  llvm::DenseMap<const clang::CXXRecordDecl *, bool> Classes;
  llvm::DenseMap<const clang::FunctionDecl *, bool> Functions;
};

} // namespace opsig

#endif
