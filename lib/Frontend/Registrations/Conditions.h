//===- Conditions.h - Visiting statements that may not run, or run often ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_FRONTEND_REGISTRATIONS_CONDITIONS_H
#define OPSIG_LIB_FRONTEND_REGISTRATIONS_CONDITIONS_H

#include "clang/AST/RecursiveASTVisitor.h"

namespace opsig {

/// A visitor that knows how many branches and loops are around what it visits.
template <typename Derived> class ConditionVisitor : public clang::RecursiveASTVisitor<Derived> {
  using Visitor = clang::RecursiveASTVisitor<Derived>;

public:
  bool TraverseIfStmt(clang::IfStmt *S) { return conditional(S, &Visitor::TraverseIfStmt); }
  bool TraverseForStmt(clang::ForStmt *S) { return conditional(S, &Visitor::TraverseForStmt); }
  bool TraverseCXXForRangeStmt(clang::CXXForRangeStmt *S) {
    return conditional(S, &Visitor::TraverseCXXForRangeStmt);
  }
  bool TraverseWhileStmt(clang::WhileStmt *S) {
    return conditional(S, &Visitor::TraverseWhileStmt);
  }
  bool TraverseSwitchStmt(clang::SwitchStmt *S) {
    return conditional(S, &Visitor::TraverseSwitchStmt);
  }

protected:
  template <typename StmtType, typename Traverse> bool conditional(StmtType *S, Traverse T) {
    ++Conditions;
    bool GoOn = (static_cast<Derived *>(this)->*T)(S, nullptr);
    --Conditions;
    return GoOn;
  }

  unsigned Conditions = 0;
};

} // namespace opsig

#endif
