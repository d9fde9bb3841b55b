//===- DispatchChanges.h - code that changes the choice of kernels ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// guards, classes that hold one, functions that set the thread's keys
//   => whether the dispatcher may choose otherwise afterwards than before
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_BODIES_DISPATCHCHANGES_H
#define OPSIG_LIB_FRONTEND_BODIES_DISPATCHCHANGES_H

#include "Decls/UnitSpansInternal.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"

namespace opsig {

/// What a body does to the choice of kernels.
struct BodyDispatch {
  bool MayChange = false;
  /// Calls after which the choice may be another one, of functions whose bodies nobody sees.
  std::vector<const clang::CallExpr *> OpenCalls;
};

/// Each class and each function is read once.
class DispatchChanges {
public:
  /// \p Spans tells the project's code from that of libraries, which is known by its names.
  explicit DispatchChanges(UnitSpans &Spans) : Spans(Spans) {}

  /// An object of the class, or what it holds, may change the choice as long as it lives.
  bool ofType(clang::QualType T);
  /// The choice may be another one after a call of \p F than before.
  bool ofFunction(const clang::FunctionDecl &F);
  BodyDispatch ofBody(const clang::Stmt &Body);
  /// One of BodyDispatch::OpenCalls.
  bool mayBeByCall(const clang::CallExpr &E);

private:
  bool ofClass(const clang::CXXRecordDecl &Class);
  bool mayBeGuard(clang::QualType T);
  bool mayBeGuardClass(const clang::CXXRecordDecl &Class);
  bool isOutOfSight(const clang::CallExpr &E) const;
  bool mayLeaveKeys(const clang::CallExpr &E) const;

  UnitSpans &Spans;
  llvm::DenseMap<const clang::CXXRecordDecl *, bool> Classes, Opaque;
  llvm::DenseMap<const clang::FunctionDecl *, bool> Functions;
};

} // namespace opsig

#endif
