//===- PointerReads.cpp - pointers that nothing is written through ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer is only read where each way that it takes leads to a value that is loaded, or to a
// pointer to const. Everything else may be a write.
//
//===----------------------------------------------------------------------===//
#include "ApiUses/UsesInternal.h"
#include "Bodies/FlowInternal.h"

#include "clang/AST/ParentMapContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace opsig;
using namespace clang;

namespace {

constexpr unsigned MaxVariables = 4;

bool isConstPointer(QualType T) {
  return T->isPointerType() && T->getPointeeType().isConstQualified();
}

class UsesOfVariable : public RecursiveASTVisitor<UsesOfVariable> {
public:
  explicit UsesOfVariable(const VarDecl &Var) : Var(Var) {}
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (E->getDecl() == &Var)
      Found.push_back(E);
    return true;
  }
  std::vector<const DeclRefExpr *> Found;

private:
  const VarDecl &Var;
};

class PointerReader {
public:
  explicit PointerReader(ASTContext &Context) : Context(Context) {}

  /// What becomes of the pointer \p E.
  bool isRead(const Expr *E);

private:
  bool isLoaded(const Expr *Lvalue);
  bool isReadAsArgument(const CallExpr &Call, const Expr *E);
  bool isReadAsVariable(const VarDecl &Var);
  template <typename T> const T *parent(const Stmt *E) {
    DynTypedNodeList Parents = Context.getParents(*E);
    return Parents.size() == 1 ? Parents[0].get<T>() : nullptr;
  }

  ASTContext &Context;
  unsigned Variables = 0;
};

/// An element, or a part of one.
bool PointerReader::isLoaded(const Expr *Lvalue) {
  const Expr *Up = parent<Expr>(Lvalue);
  if (!Up)
    return false;
  if (isa<ParenExpr>(Up) || isa<MemberExpr>(Up))
    return isLoaded(Up);
  const auto *Cast = dyn_cast<ImplicitCastExpr>(Up);
  return Cast && (Cast->getCastKind() == CK_LValueToRValue ||
                  (Cast->getCastKind() == CK_NoOp && Cast->getType().isConstQualified()));
}

bool PointerReader::isReadAsArgument(const CallExpr &Call, const Expr *E) {
  const Expr *Callee = Call.getCallee()->IgnoreParenImpCasts();
  const auto *Overloads = dyn_cast<OverloadExpr>(Callee);
  const FunctionDecl *F = nullptr;
  if (Overloads && Overloads->getNumDecls() == 1) {
    const NamedDecl *Only = (*Overloads->decls_begin())->getUnderlyingDecl();
    const auto *Template = dyn_cast<FunctionTemplateDecl>(Only);
    F = Template ? Template->getTemplatedDecl() : dyn_cast<FunctionDecl>(Only);
  }
  for (unsigned I = 0; F && I < Call.getNumArgs() && I < F->getNumParams(); ++I)
    if (Call.getArg(I) == E)
      return isConstPointer(F->getParamDecl(I)->getType());
  return false;
}

bool PointerReader::isReadAsVariable(const VarDecl &Var) {
  if (isConstPointer(Var.getType()))
    return true;
  const auto *F = dyn_cast<FunctionDecl>(Var.getDeclContext());
  // A type that is written stays as it is.
  bool Deduced = Var.getTypeSourceInfo() &&
                 Var.getTypeSourceInfo()->getType()->getContainedAutoType() &&
                 !Var.getType()->isReferenceType();
  if (!F || !F->getBody() || !Deduced || ++Variables > MaxVariables)
    return false;
  UsesOfVariable Uses(Var);
  Uses.TraverseStmt(F->getBody());
  return llvm::all_of(Uses.Found, [&](const DeclRefExpr *E) {
    const auto *Load = parent<ImplicitCastExpr>(E);
    return Load && Load->getCastKind() == CK_LValueToRValue && isRead(Load);
  });
}

bool PointerReader::isRead(const Expr *E) {
  if (const auto *Var = parent<VarDecl>(E))
    return isReadAsVariable(*Var);
  const Expr *Up = parent<Expr>(E);
  if (!Up)
    return false;
  if (const auto *Cast = dyn_cast<CastExpr>(Up)) {
    if (isConstPointer(Cast->getType()) || Cast->getCastKind() == CK_PointerToBoolean)
      return true;
    return isa<ImplicitCastExpr>(Cast) && isRead(Cast);
  }
  if (isa<ParenExpr>(Up) || isa<ExprWithCleanups>(Up) || isa<MaterializeTemporaryExpr>(Up))
    return isRead(Up);
  if (isa<ArraySubscriptExpr>(Up))
    return isLoaded(Up);
  if (const auto *Unary = dyn_cast<UnaryOperator>(Up))
    return Unary->getOpcode() == UO_Deref && isLoaded(Unary);
  if (const auto *Binary = dyn_cast<BinaryOperator>(Up))
    return Binary->isComparisonOp() || (Binary->isAdditiveOp() && isRead(Binary));
  if (const auto *Call = dyn_cast<CallExpr>(Up))
    return isReadAsArgument(*Call, E);
  return false;
}

} // namespace

bool opsig::isOnlyRead(const Expr &E, ASTContext &Context) {
  return PointerReader(Context).isRead(&E);
}
