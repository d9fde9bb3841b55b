//===- BoxedStack.cpp - What kernels that are boxed by hand do with their stack -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `void f(StableIValue *stack, uint64_t inputs, uint64_t outputs) { ... }`
//   => uses of `stack[constant]`: to<T>(stack[0]), stack[0] = from(x)
//   => StackUse
//
// A use of another form, and a stack that is handed on, leaves the sum open: what was seen is not
// all.
//
//===----------------------------------------------------------------------===//
#include "Registrations/Conditions.h"
#include "Registrations/RegistrationInternal.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace opsig;
using namespace clang;

namespace {

/// The function \p Name of the stable ABI that is called; null for other calls.
const FunctionDecl *calledConversion(const CallExpr &Call, StringRef Name) {
  const FunctionDecl *F = Call.getDirectCallee();
  bool Is = F && F->getIdentifier() && F->getName() == Name && Call.getNumArgs() >= 1 &&
            isOfStableAbi(scopeName(*F), Name);
  return Is ? F : nullptr;
}

class StackReader : public ConditionVisitor<StackReader> {
public:
  StackReader(const ParmVarDecl &Stack, UnitSpans &Spans) : Stack(Stack), Spans(Spans) {}

  StackUse read(Stmt &Body) {
    Out.Whole = true;
    TraverseStmt(&Body);
    return std::move(Out);
  }

  bool TraverseCallExpr(CallExpr *Call);
  bool TraverseBinaryOperator(BinaryOperator *Operator);
  bool TraverseImplicitCastExpr(ImplicitCastExpr *Cast);
  bool TraverseDoStmt(DoStmt *S) { return conditional(S, &RecursiveASTVisitor::TraverseDoStmt); }
  bool TraverseConditionalOperator(ConditionalOperator *E) {
    return conditional(E, &RecursiveASTVisitor::TraverseConditionalOperator);
  }
  bool TraverseLambdaExpr(LambdaExpr *E) {
    return conditional(E, &RecursiveASTVisitor::TraverseLambdaExpr);
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    Out.Whole &= Ref->getDecl() != &Stack;
    return true;
  }
  bool VisitRecoveryExpr(RecoveryExpr *) { return Out.Whole = false, true; }

private:
  std::optional<uint32_t> indexOf(const Expr *E) const;
  StackValue valueAt(uint32_t Index, const Expr &E);
  void setType(StackValue &Value, QualType T);

  const ParmVarDecl &Stack;
  UnitSpans &Spans;
  StackUse Out;
};

/// 1 for `stack[1]`.
std::optional<uint32_t> StackReader::indexOf(const Expr *E) const {
  const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E->IgnoreParenImpCasts());
  if (!Subscript || Subscript->containsErrors() || Subscript->getIdx()->isValueDependent())
    return std::nullopt;
  const auto *Base = dyn_cast<DeclRefExpr>(Subscript->getBase()->IgnoreParenImpCasts());
  Expr::EvalResult Index;
  if (!Base || Base->getDecl() != &Stack ||
      !Subscript->getIdx()->EvaluateAsInt(Index, Spans.context()))
    return std::nullopt;
  llvm::APSInt Number = Index.Val.getInt();
  if (Number.isNegative() || Number.getActiveBits() > 31)
    return std::nullopt;
  return uint32_t(Number.getZExtValue());
}

StackValue StackReader::valueAt(uint32_t Index, const Expr &E) {
  StackValue Value;
  Value.Index = Index;
  Value.At = Spans.use(E.getSourceRange());
  Value.Conditional = Conditions > 0;
  return Value;
}

void StackReader::setType(StackValue &Value, QualType T) {
  if (T.isNull() || T->isDependentType() || T->containsErrors())
    return;
  T = T.getNonReferenceType().getUnqualifiedType();
  Value.Type = readType(T, Spans.context());
  Value.TypeText = T.getAsString(Spans.context().getPrintingPolicy());
}

/// Where the argument of `to<T>` is written.
SourceRange templateArgument(const CallExpr &Call) {
  const auto *Ref = dyn_cast<DeclRefExpr>(Call.getCallee()->IgnoreParenImpCasts());
  return Ref && Ref->getNumTemplateArgs() ? Ref->getTemplateArgs()[0].getSourceRange()
                                          : SourceRange();
}

bool StackReader::TraverseCallExpr(CallExpr *Call) {
  std::optional<uint32_t> Index;
  if (calledConversion(*Call, "to"))
    Index = indexOf(Call->getArg(0));
  if (!Index)
    return RecursiveASTVisitor::TraverseCallExpr(Call);
  StackValue Value = valueAt(*Index, *Call);
  setType(Value, Call->getType());
  if (SourceRange Written = templateArgument(*Call); Written.isValid())
    Value.TypeAt = Spans.span(Written);
  if (Value.TypeAt.isValid() && Value.Type.isRead())
    Value.TypeText = inOneLine(Spans.text(Value.TypeAt));
  Out.Taken.push_back(std::move(Value));
  return true;
}

bool StackReader::TraverseBinaryOperator(BinaryOperator *Operator) {
  std::optional<uint32_t> Index;
  if (Operator->getOpcode() == BO_Assign)
    Index = indexOf(Operator->getLHS());
  if (!Index)
    return RecursiveASTVisitor::TraverseBinaryOperator(Operator);
  // What is put there may be made of what was there.
  TraverseStmt(Operator->getRHS());
  StackValue Value = valueAt(*Index, *Operator->getLHS());
  const auto *Call = dyn_cast<CallExpr>(underlying(Operator->getRHS()));
  if (Call && calledConversion(*Call, "from"))
    setType(Value, underlying(Call->getArg(0))->getType());
  Out.Given.push_back(std::move(Value));
  return true;
}

/// The bits themselves are asked for.
bool StackReader::TraverseImplicitCastExpr(ImplicitCastExpr *Cast) {
  std::optional<uint32_t> Index;
  if (Cast->getCastKind() == CK_LValueToRValue)
    Index = indexOf(Cast->getSubExpr());
  if (!Index)
    return RecursiveASTVisitor::TraverseImplicitCastExpr(Cast);
  Out.Taken.push_back(valueAt(*Index, *Cast));
  return true;
}

} // namespace

bool opsig::takesStack(const FunctionDecl &F) {
  if (F.getNumParams() != 3 || F.getType()->isDependentType() || !F.getReturnType()->isVoidType())
    return false;
  auto IsNumber = [](QualType T) { return T->isUnsignedIntegerType(); };
  QualType Stack = F.getParamDecl(0)->getType();
  return Stack->isPointerType() && IsNumber(Stack->getPointeeType()) &&
         !Stack->getPointeeType().isConstQualified() && IsNumber(F.getParamDecl(1)->getType()) &&
         IsNumber(F.getParamDecl(2)->getType());
}

bool opsig::isBoxedByHand(const Decl &D, ProjectPlaces &Project) {
  const auto *F = dyn_cast<FunctionDecl>(&D);
  return F && takesStack(*F) && Project.contain(D);
}

StackUse opsig::readStack(const FunctionDecl &F, UnitSpans &Spans) {
  const FunctionDecl *Definition = nullptr;
  if (!takesStack(F) || !F.hasBody(Definition) || Spans.isGarbled(*Definition))
    return {};
  StackUse Use = StackReader(*Definition->getParamDecl(0), Spans).read(*Definition->getBody());
  Use.Whole &= !Spans.hasError(Spans.span(Definition->getSourceRange()));
  return Use;
}
