//===- StatementsAround.h - Visiting statements with those around them ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_FRONTEND_DECLS_STATEMENTSAROUND_H
#define OPSIG_LIB_FRONTEND_DECLS_STATEMENTSAROUND_H

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/Stmt.h"
#include <vector>

namespace opsig {

/// A visitor that knows what it visits, and what that stands in: the last one is what is visited.
template <typename Derived>
class StatementsAroundVisitor : public clang::RecursiveASTVisitor<Derived> {
public:
  bool TraverseStmt(clang::Stmt *S) {
    if (!S)
      return true;
    Around.push_back(S);
    bool GoOn = clang::RecursiveASTVisitor<Derived>::TraverseStmt(S);
    Around.pop_back();
    return GoOn;
  }

protected:
  std::vector<const clang::Stmt *> Around;
};

} // namespace opsig

#endif
