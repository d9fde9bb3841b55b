//===- AlwaysThrows.cpp - statements that no way leads through --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/AlwaysThrows.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;

/// Some way may lead out of \p S to other code than what stands behind it, or into it.
static bool hasJump(const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return false;
  return isa<ReturnStmt, CoreturnStmt, BreakStmt, ContinueStmt, GotoStmt, IndirectGotoStmt,
             SwitchCase, LabelStmt, AsmStmt>(S) ||
         llvm::any_of(S->children(), hasJump);
}

static bool throwsAlways(const Expr &E, const ASTContext &Context) {
  if (isa<CXXThrowExpr>(E))
    return true;
  if (const auto *Call = dyn_cast<CallExpr>(&E)) {
    const FunctionDecl *F = Call->getDirectCallee();
    return F && F->isNoReturn();
  }
  if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(&E))
    return alwaysThrows(Choice->getTrueExpr(), Context) &&
           alwaysThrows(Choice->getFalseExpr(), Context);
  return false;
}

/// One after the other: what one that always throws stands behind leads there, if it leads
/// anywhere.
static bool oneThrows(const CompoundStmt &S, const ASTContext &Context) {
  for (const Stmt *Each : S.body()) {
    if (alwaysThrows(Each, Context))
      return true;
    if (hasJump(Each))
      return false;
  }
  return false;
}

static bool throwsAlways(const IfStmt &S, const ASTContext &Context) {
  bool Taken = false;
  const Expr *Condition = S.getCond();
  if (!S.isConsteval() && !Condition->isValueDependent() && !Condition->containsErrors() &&
      Condition->EvaluateAsBooleanCondition(Taken, Context))
    return alwaysThrows(Taken ? S.getThen() : S.getElse(), Context);
  return alwaysThrows(S.getThen(), Context) && alwaysThrows(S.getElse(), Context);
}

bool opsig::alwaysThrows(const Stmt *S, const ASTContext &Context) {
  if (!S)
    return false;
  if (const auto *E = dyn_cast<Expr>(S)) {
    const Expr *Inner = E->IgnoreParenImpCasts();
    if (const auto *Whole = dyn_cast<FullExpr>(Inner))
      Inner = Whole->getSubExpr()->IgnoreParenImpCasts();
    return throwsAlways(*Inner, Context);
  }
  if (const auto *Compound = dyn_cast<CompoundStmt>(S))
    return oneThrows(*Compound, Context);
  if (const auto *If = dyn_cast<IfStmt>(S))
    return throwsAlways(*If, Context);
  if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
    return alwaysThrows(Attributed->getSubStmt(), Context);
  const auto *Do = dyn_cast<DoStmt>(S); // of macros
  return Do && alwaysThrows(Do->getBody(), Context);
}
