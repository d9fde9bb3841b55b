//===- FlowExpressions.cpp - which tensor an expression is ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Bodies/FlowInternal.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace opsig;
using namespace clang;

//===- Types -----------------------------------------------------------------===//

bool opsig::isTensorClass(QualType T) {
  std::string Name = className(T);
  return Name == "at::Tensor" || Name == "at::TensorBase" || Name == "torch::stable::Tensor";
}

/// Classes of the library that hold a tensor or point into one.
static bool isCarrier(const CXXRecordDecl &Record) {
  StringRef Name = Record.getIdentifier() ? Record.getName() : "";
  return Name == "Tensor" || Name == "TensorBase" || Name == "TensorImpl" || Name == "TensorRef" ||
         Name == "OptionalTensorRef" || Name == "ITensorListRef" || Name == "IOptTensorListRef" ||
         Name == "Storage" || Name == "StorageImpl" || Name.contains("TensorAccessor");
}

bool FlowTypes::compute(QualType T) {
  if (T->isDependentType())
    return false;
  if (T->isPointerType()) {
    QualType To = T->getPointeeType();
    return !To->isFunctionType();
  }
  if (const ArrayType *Array = T->getAsArrayTypeUnsafe())
    return carries(Array->getElementType());
  const auto *Record = T->getAsCXXRecordDecl();
  if (!Record || Record->isLambda())
    return false;
  if (isCarrier(*Record))
    return true;
  const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(Record);
  if (!Special || Record->getName() == "function")
    return false;
  for (const TemplateArgument &Argument : Special->getTemplateArgs().asArray()) {
    if (Argument.getKind() == TemplateArgument::Type && carries(Argument.getAsType()))
      return true;
    if (Argument.getKind() == TemplateArgument::Pack)
      for (const TemplateArgument &Element : Argument.pack_elements())
        if (Element.getKind() == TemplateArgument::Type && carries(Element.getAsType()))
          return true;
  }
  return false;
}

bool FlowTypes::carries(QualType T) {
  if (T.isNull())
    return false;
  T = T.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  auto [It, New] = Known.try_emplace(T.getTypePtr(), false);
  if (!New)
    return It->second;
  bool Carries = compute(T);
  Known[T.getTypePtr()] = Carries;
  return Carries;
}

bool FlowTypes::isTensorLike(QualType T) {
  T = T.getNonReferenceType().getCanonicalType();
  const auto *Record = T->getAsCXXRecordDecl();
  return Record && carries(T) && Record->getIdentifier() &&
         !Record->getName().contains("Accessor") && !Record->getName().starts_with("Storage");
}

//===- Assignments -----------------------------------------------------------===//

void FlowReader::change(const Expr *Target, const Expr *At) {
  Target = Target->IgnoreParenImpCasts();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Target)) {
    // A variable of its own is no element; a reference may be one.
    const auto *D = dyn_cast<ValueDecl>(slot(Ref->getDecl()));
    if (D->getType()->isReferenceType())
      write(held(D), At);
    return;
  }
  write(expression(Target), At);
}

void FlowReader::assign(const Expr *Target, FlowIndex Value, const Expr *At) {
  Target = Target->IgnoreParenImpCasts();
  bool Carries = Types.carries(Target->getType());
  if ((Carries || !Types.members(Target->getType()).empty()) && assignStruct(Target, Value))
    return;
  if (!Carries)
    return change(Target, At);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Target)) {
    const ValueDecl *D = slot(Ref->getDecl());
    const auto *Var = dyn_cast<VarDecl>(D);
    if (!Var || !Var->hasLocalStorage())
      escape(Value);
    else if (Var->getType()->isReferenceType())
      escape(held(D)); // the caller's own variable changes
    hold(D, Value);
    return;
  }
  // std::tie(a, b) = ...
  const auto *Tie = dyn_cast<CallExpr>(underlying(Target));
  if (Tie && Tie->getDirectCallee() && scopeName(*Tie->getDirectCallee()) == "std::tie") {
    for (unsigned I = 0; I < Tie->getNumArgs(); ++I)
      assign(Tie->getArg(I), part(Value, I), At);
    return;
  }
  addTo(Target, Value);
}

void FlowReader::addTo(const Expr *List, FlowIndex Value) {
  const Expr *At = List;
  if (Value == NoValue)
    Value = fresh();
  while (At) {
    At = At->IgnoreParenImpCasts();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(At)) {
      const ValueDecl *D = slot(Ref->getDecl());
      if (const auto *Var = dyn_cast<VarDecl>(D);
          Var && Var->hasLocalStorage() && Types.members(Var->getType()).empty()) {
        FlowIndex Before = held(D);
        hold(D, Before == NoValue ? Value : oneOf({Before, Value}));
        return;
      }
      break;
    }
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(At))
      At = Subscript->getBase();
    else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(At))
      At = Operator->getNumArgs() ? Operator->getArg(0) : nullptr;
    else if (const auto *Call = dyn_cast<CXXMemberCallExpr>(At))
      At = Call->getImplicitObjectArgument();
    else if (const auto *Deref = dyn_cast<UnaryOperator>(At))
      At = Deref->getSubExpr();
    else if (const auto *Member = dyn_cast<MemberExpr>(At)) {
      // Members are not told apart.
      Value = oneOf({Value, fresh()});
      At = Member->getBase();
    } else if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(At))
      At = Temporary->getSubExpr();
    else
      break;
  }
  escape(Value);
}

//===- Expressions -----------------------------------------------------------===//

/// An expression of a kind that has no rule: what is in it may go anywhere.
FlowIndex FlowReader::unknown(const Stmt *E) {
  for (const Stmt *Child : E->children()) {
    if (const auto *Part = dyn_cast_or_null<Expr>(Child))
      escape(expression(Part));
    else
      statement(Child);
  }
  return NoValue;
}

FlowIndex FlowReader::cast(const CastExpr &E) {
  FlowIndex Value = expression(E.getSubExpr());
  if (E.isGLValue() || Types.carries(E.getType()) || !Types.members(E.getType()).empty())
    return Value;
  if (E.getType()->isVoidType() || E.getType()->isBooleanType())
    return NoValue;
  // A value that is read; but an address can be kept as a number.
  if (E.getSubExpr()->getType()->isPointerType())
    escape(Value);
  return NoValue;
}

FlowIndex FlowReader::unary(const UnaryOperator &E) {
  if (E.isIncrementDecrementOp() && !Types.carries(E.getType())) {
    change(E.getSubExpr(), &E);
    return NoValue;
  }
  if (E.getOpcode() == UO_AddrOf && structVariable(E.getSubExpr())) {
    loseStruct(E.getSubExpr());
    return NoValue;
  }
  return expression(E.getSubExpr());
}

FlowIndex FlowReader::binary(const BinaryOperator &E) {
  if (E.isAssignmentOp()) {
    FlowIndex Value = expression(E.getRHS());
    if (E.isCompoundAssignmentOp() && Types.carries(E.getLHS()->getType()))
      return expression(E.getLHS()); // p += n
    assign(E.getLHS(), Value, &E);
    return E.isGLValue() ? expression(E.getLHS()) : NoValue;
  }
  FlowIndex Left = expression(E.getLHS());
  bool Before = State.Dead;
  FlowIndex Right = expression(E.getRHS());
  if (E.isLogicalOp())
    State.Dead = Before;
  if (E.getOpcode() == BO_Comma)
    return Right;
  if (E.isPtrMemOp())
    return Left;
  if (!Types.carries(E.getType()))
    return NoValue;
  return Left == NoValue ? Right : Left; // p + n, n + p
}

FlowIndex FlowReader::conditional(const AbstractConditionalOperator &E) {
  expression(E.getCond());
  bool Before = State.Dead;
  FlowIndex True = expression(E.getTrueExpr());
  bool NoTrue = std::exchange(State.Dead, Before);
  FlowIndex False = expression(E.getFalseExpr());
  bool NoFalse = std::exchange(State.Dead, Before);
  if (NoTrue || NoFalse)
    return NoTrue ? False : True;
  return oneOf({True, False});
}

FlowIndex FlowReader::initList(const InitListExpr &E) {
  if (const InitListExpr *Meaning = E.isSemanticForm() ? &E : E.getSemanticForm();
      Meaning && Meaning != &E)
    return initList(*Meaning);
  if (isFlatList(E))
    return structList(E);
  if (!Types.carries(E.getType()) && !E.getType()->isArrayType() && !E.getType()->isVoidType())
    return unknown(&E);
  if (E.getNumInits() == 1)
    return expression(E.getInit(0));
  std::vector<FlowIndex> Values;
  for (const Expr *Init : E.inits())
    Values.push_back(expression(Init));
  return tuple(Values);
}

FlowIndex FlowReader::element(FlowIndex Whole, const Expr *Index) {
  Expr::EvalResult Known;
  if (Index && !Index->isValueDependent() && Index->getType()->isIntegerType() &&
      Index->EvaluateAsInt(Known, Spans.context()) && Known.Val.getInt().isNonNegative() &&
      Known.Val.getInt().ult(AnyPart))
    return part(Whole, Known.Val.getInt().getZExtValue());
  return part(Whole, AnyPart);
}

FlowIndex FlowReader::subscript(const ArraySubscriptExpr &E) {
  expression(E.getIdx());
  FlowIndex Whole = expression(E.getBase());
  return Types.carries(E.getType()) ? element(Whole, E.getIdx()) : Whole;
}

/// The body counts where the lambda stands, as if run there any number of times. The lambda's own
/// value is what it returns.
FlowIndex FlowReader::lambda(const LambdaExpr &E) {
  for (const auto &[Capture, Init] : llvm::zip(E.captures(), E.capture_inits()))
    if (E.isInitCapture(&Capture))
      hold(Capture.getCapturedVar(), expression(Init));
  Lambdas.push_back({{}, Targets.size()});
  // Of a generic one, every body that it was called with.
  llvm::SmallVector<const Stmt *, 2> Bodies = {E.getBody()};
  if (const FunctionTemplateDecl *Generic = E.getCallOperator()->getDescribedFunctionTemplate()) {
    Bodies.clear();
    for (const FunctionDecl *F : Generic->specializations())
      if (F->hasBody() && !F->isDependentContext())
        Bodies.push_back(F->getBody());
    if (Bodies.empty())
      Bodies.push_back(E.getBody());
  }
  FlowState Before = State;
  for (const Stmt *Body : Bodies)
    repeat([&] { statement(Body); });
  for (const auto &[Var, Value] : Before.Held)
    if (FlowIndex &Now = State.Held[Var]; Now != Value)
      Now = ofAnyCall(Now);
  std::vector<FlowIndex> Returned = std::move(Lambdas.back().Returned);
  Lambdas.pop_back();
  return oneOf(Returned);
}

FlowIndex FlowReader::expression(const Expr *E) {
  if (!E)
    return NoValue;
  using Index = FlowIndex;
  return llvm::TypeSwitch<const Expr *, Index>(E)
      .Case<ParenExpr>([&](auto *P) { return expression(P->getSubExpr()); })
      .Case<FullExpr>([&](auto *F) { return expression(F->getSubExpr()); })
      .Case<MaterializeTemporaryExpr>([&](auto *M) { return expression(M->getSubExpr()); })
      .Case<CXXBindTemporaryExpr>([&](auto *B) { return expression(B->getSubExpr()); })
      .Case<CXXStdInitializerListExpr>([&](auto *L) { return expression(L->getSubExpr()); })
      .Case<SubstNonTypeTemplateParmExpr>([&](auto *S) { return expression(S->getReplacement()); })
      .Case<OpaqueValueExpr>([&](auto *O) { return expression(O->getSourceExpr()); })
      .Case<CXXDefaultArgExpr, CXXDefaultInitExpr, UnaryExprOrTypeTraitExpr, CXXNoexceptExpr,
            CXXTypeidExpr>([](auto *) { return NoValue; })
      .Case<CastExpr>([&](auto *C) { return cast(*C); })
      .Case<DeclRefExpr>([&](auto *R) { return held(R->getDecl()); })
      .Case<MemberExpr>([&](auto *M) {
        if (std::optional<StructMember> Member = structMember(M))
          return memberOf(held(Member->Variable), Member->Index);
        FlowIndex Value = expression(M->getBase());
        return Types.carries(M->getType()) ? Value : NoValue;
      })
      .Case<ArraySubscriptExpr>([&](auto *S) { return subscript(*S); })
      .Case<UnaryOperator>([&](auto *U) { return unary(*U); })
      .Case<BinaryOperator>([&](auto *B) { return binary(*B); })
      .Case<AbstractConditionalOperator>([&](auto *C) { return conditional(*C); })
      .Case<CallExpr>([&](auto *C) { return call(*C); })
      .Case<CXXConstructExpr>([&](auto *C) { return construct(*C); })
      .Case<InitListExpr>([&](auto *L) { return initList(*L); })
      .Case<LambdaExpr>([&](auto *L) { return lambda(*L); })
      .Case<StmtExpr>([&](auto *S) {
        statement(S->getSubStmt());
        return NoValue;
      })
      .Case<CXXThrowExpr>([&](auto *T) {
        unknown(T);
        State.Dead = true;
        return NoValue;
      })
      .Case<RecoveryExpr>([&](auto *R) {
        Out.Complete = false;
        return unknown(R);
      })
      .Default([&](auto *Other) { return unknown(Other); });
}
