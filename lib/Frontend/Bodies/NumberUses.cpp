//===- NumberUses.cpp - What a body takes its numbers for ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ converts numbers in silence, so that a wrong type of a parameter compiles. What the body does
// with the value tells which type is meant.
//
//===----------------------------------------------------------------------===//
#include "Bodies/FlowInternal.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;

namespace {

bool isWhole(QualType T) {
  return T->isIntegerType() && !T->isBooleanType() && !T->isAnyCharacterType();
}

/// Without casts that only the compiler writes, and signs.
const Expr *operand(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  const auto *Sign = dyn_cast<UnaryOperator>(E);
  return Sign && (Sign->getOpcode() == UO_Minus || Sign->getOpcode() == UO_Plus)
             ? operand(Sign->getSubExpr())
             : E;
}

class NumberReader : public RecursiveASTVisitor<NumberReader> {
public:
  NumberReader(const FunctionDecl &F, UnitSpans &Spans, std::vector<FlowNumber> &Out)
      : F(F), Spans(Spans), Out(Out) {}

  bool VisitCallExpr(const CallExpr *E) {
    const FunctionDecl *Callee = E->getDirectCallee();
    if (!Callee || isa<CXXOperatorCallExpr>(E))
      return true;
    // The type of a template's argument says nothing about what it is taken for.
    if (const FunctionDecl *Pattern = Callee->getTemplateInstantiationPattern())
      Callee = Pattern;
    for (unsigned I = 0; I < std::min(E->getNumArgs(), Callee->getNumParams()); ++I)
      convert(E->getArg(I), Callee->getParamDecl(I)->getType().getNonReferenceType());
    return true;
  }
  bool VisitVarDecl(const VarDecl *D) {
    if (D->getInit() && !isa<ParmVarDecl>(D) && D->getTypeSourceInfo() &&
        !D->getTypeSourceInfo()->getType()->getContainedAutoType())
      convert(D->getInit(), D->getType());
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *E) {
    if (E->isAssignmentOp()) {
      convert(E->getRHS(), E->getLHS()->getType());
    } else if (E->isMultiplicativeOp() || E->isAdditiveOp() || E->isComparisonOp()) {
      combine(E->getLHS(), E->getRHS());
      combine(E->getRHS(), E->getLHS());
    }
    return true;
  }
  bool VisitArraySubscriptExpr(const ArraySubscriptExpr *E) {
    convert(E->getIdx(), F.getASTContext().LongLongTy);
    return true;
  }
  bool VisitExplicitCastExpr(const ExplicitCastExpr *E) {
    // Who casts one whole number into another says nothing of the first.
    const ParmVarDecl *P = param(E->getSubExpr());
    if (P && P->getType().getNonReferenceType()->isRealFloatingType())
      convert(E->getSubExpr(), E->getType());
    return true;
  }

private:
  /// The parameter of the function that \p E is, if it is one.
  const ParmVarDecl *param(const Expr *E) const {
    const auto *Ref = dyn_cast<DeclRefExpr>(operand(E));
    const auto *P = Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
    return P && P->getDeclContext() == &F ? P : nullptr;
  }
  /// \p E is given to what has the type \p To.
  void convert(const Expr *E, QualType To) {
    const ParmVarDecl *P = param(E);
    if (!P || To->isDependentType())
      return;
    QualType Own = P->getType().getNonReferenceType();
    if (isWhole(To) && (isWhole(Own) || Own->isRealFloatingType()))
      add(*P, FlowNumber::Whole, *E);
    else if (To->isRealFloatingType() && Own->isRealFloatingType())
      add(*P, FlowNumber::Floating, *E);
  }
  /// \p E is computed or compared with \p Other.
  void combine(const Expr *E, const Expr *Other) {
    const ParmVarDecl *P = param(E);
    const Expr *Bare = operand(Other);
    if (!P || param(Other) == P || Bare->isTypeDependent() || isa<IntegerLiteral>(Bare))
      return;
    QualType Own = P->getType().getNonReferenceType(), With = Bare->getType();
    if (Own->isRealFloatingType() && With->isRealFloatingType())
      add(*P, FlowNumber::Floating, *E);
    else if (isWhole(Own) && isWhole(With))
      add(*P, FlowNumber::Whole, *E);
  }
  /// The first one of each kind will do.
  void add(const ParmVarDecl &P, FlowNumber::Kind Is, const Expr &E) {
    FlowNumber New{P.getFunctionScopeIndex(), Is, Spans.use(E.getSourceRange())};
    if (New.At.isValid() &&
        llvm::none_of(Out, [&](const FlowNumber &N) { return N.Param == New.Param && N.Is == Is; }))
      Out.push_back(New);
  }

  const FunctionDecl &F;
  UnitSpans &Spans;
  std::vector<FlowNumber> &Out;
};

} // namespace

std::vector<FlowNumber> opsig::readNumberUses(const FunctionDecl &F, const Stmt &Body,
                                              UnitSpans &Spans) {
  std::vector<FlowNumber> Out;
  // Never changed; the visitor wants it so.
  NumberReader(F, Spans, Out).TraverseStmt(const_cast<Stmt *>(&Body));
  return Out;
}
