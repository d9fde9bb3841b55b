//===- FlowStatements.cpp - what variables hold, statement by statement -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Bodies/FlowInternal.h"

#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;

FlowIndex FlowReader::add(FlowValue::Kind Is, uint32_t Index, std::vector<FlowIndex> From) {
  Out.Values.push_back({Is, Index, std::move(From)});
  return Out.Values.size() - 1;
}

FlowIndex FlowReader::oneOf(llvm::ArrayRef<FlowIndex> From) {
  std::vector<FlowIndex> Distinct;
  for (FlowIndex Value : From)
    if (!llvm::is_contained(Distinct, Value))
      Distinct.push_back(Value);
  if (Distinct.size() < 2)
    return Distinct.empty() ? NoValue : Distinct.front();
  return add(FlowValue::OneOf, 0, std::move(Distinct));
}

FlowIndex FlowReader::tuple(llvm::ArrayRef<FlowIndex> From) {
  if (llvm::all_of(From, [](FlowIndex Value) { return Value == NoValue; }))
    return NoValue;
  return add(FlowValue::Tuple, 0, From.vec());
}

FlowIndex FlowReader::part(FlowIndex Whole, unsigned Index) {
  return Whole == NoValue ? NoValue : add(FlowValue::Part, Index, {Whole});
}

/// What one call of a lambda returns, as its body returns \p Value: it shares what that shares,
/// and is not the tensor that another call returns.
FlowIndex FlowReader::ofOneCall(FlowIndex Value) {
  if (Value == NoValue)
    return NoValue;
  if (Out.Values[Value].Is != FlowValue::Tuple)
    return add(FlowValue::OrElse, 0, {Value, Value});
  std::vector<FlowIndex> Parts = Out.Values[Value].From;
  std::map<FlowIndex, FlowIndex> Same;
  for (FlowIndex &Part : Parts) {
    if (!Same.contains(Part))
      Same[Part] = ofOneCall(Part);
    Part = Same[Part];
  }
  return add(FlowValue::Tuple, 0, std::move(Parts));
}

/// What a variable holds that a lambda's body assigned: nobody knows of which call it is.
FlowIndex FlowReader::ofAnyCall(FlowIndex Value) {
  return Value == NoValue ? NoValue : add(FlowValue::OrElse, 0, {Value, ofOneCall(Value)});
}

void FlowReader::write(FlowIndex Value, const Stmt *At) {
  if (Value != NoValue)
    Out.Writes.push_back({Value, Spans.use(At->getSourceRange())});
}

void FlowReader::escape(FlowIndex Value) {
  if (Value != NoValue && !llvm::is_contained(Out.Escapes, Value))
    Out.Escapes.push_back(Value);
}

const ValueDecl *FlowReader::slot(const ValueDecl *D) const {
  auto It = Aliases.find(D);
  return It == Aliases.end() ? D : It->second;
}

FlowIndex FlowReader::held(const ValueDecl *D) const {
  auto It = State.Held.find(slot(D));
  return It == State.Held.end() ? NoValue : It->second;
}

void FlowReader::join(const FlowState &Other) {
  if (Other.Dead)
    return;
  if (State.Dead) {
    State = Other;
    return;
  }
  for (const auto &[Var, Value] : Other.Held) {
    auto [It, New] = State.Held.insert({Var, Value});
    if (!New && It->second != Value)
      It->second = oneOf({It->second, Value});
  }
}

/// A body that is run any number of times: at its begin a variable holds what it held before or
/// what it holds at the end.
void FlowReader::repeat(llvm::function_ref<void()> Body) {
  if (State.Dead)
    return;
  FlowState Before = State;
  for (auto &[Var, Value] : State.Held)
    Value = add(FlowValue::OneOf, 0, {Value});
  FlowState Begin = State;
  Targets.push_back({});
  Targets.back().IsLoop = true;
  Body();
  Jumps Own = std::move(Targets.back());
  Targets.pop_back();

  Own.Continues.push_back(State);
  for (const FlowState &Back : Own.Continues)
    for (const auto &[Var, Value] : Begin.Held)
      if (auto It = Back.Held.find(Var); !Back.Dead && It != Back.Held.end() &&
                                         It->second != Value &&
                                         !llvm::is_contained(Out.Values[Value].From, It->second))
        Out.Values[Value].From.push_back(It->second);
  State = std::move(Begin);
  for (const FlowState &Break : Own.Breaks)
    join(Break);
  for (const auto &[Var, Value] : Before.Held)
    if (FlowIndex &Now = State.Held[Var]; Out.Values[Now].Is == FlowValue::OneOf &&
                                          Out.Values[Now].From == std::vector<FlowIndex>{Value})
      Now = Value;
}

/// The body of `do ... while (false)`, as macros have it.
void FlowReader::once(const Stmt &Body) {
  Targets.push_back({});
  Targets.back().IsLoop = true;
  statement(&Body);
  Jumps Own = std::move(Targets.back());
  Targets.pop_back();
  for (const std::vector<FlowState> *States : {&Own.Breaks, &Own.Continues})
    for (const FlowState &Way : *States)
      join(Way);
}

void FlowReader::declareParts(const DecompositionDecl &Whole, FlowIndex Value) {
  unsigned Index = 0;
  for (const BindingDecl *Binding : Whole.bindings())
    hold(Binding, part(Value, Index++));
}

void FlowReader::declare(const VarDecl &Var) {
  const Expr *Init = Var.getInit();
  if (!Init) {
    hold(&Var, NoValue);
    return;
  }
  bool IsReference = Var.getType()->isReferenceType();
  if (const auto *Whole = dyn_cast<DecompositionDecl>(&Var)) {
    declareParts(*Whole, expression(Init));
    return;
  }
  // Another name of the same variable.
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Init->IgnoreParenImpCasts());
      Ref && IsReference && isa<VarDecl>(Ref->getDecl()) &&
      State.Held.contains(slot(Ref->getDecl()))) {
    Aliases[&Var] = slot(Ref->getDecl());
    return;
  }
  hold(&Var, expression(Init));
}

void FlowReader::ifStatement(const IfStmt &S) {
  statement(S.getInit());
  if (const VarDecl *Var = S.getConditionVariable())
    declare(*Var);
  expression(S.getCond());
  // Of a constant condition one way is none; macros that always throw are such.
  bool Taken = false;
  if (!S.isConsteval() && !S.getCond()->isValueDependent() &&
      S.getCond()->EvaluateAsBooleanCondition(Taken, Spans.context())) {
    statement(Taken ? S.getThen() : S.getElse());
    return;
  }
  FlowState Before = State;
  statement(S.getThen());
  std::swap(State, Before); // now Before is what holds after `then`
  statement(S.getElse());
  join(Before);
}

void FlowReader::switchStatement(const SwitchStmt &S) {
  statement(S.getInit());
  if (const VarDecl *Var = S.getConditionVariable())
    declare(*Var);
  expression(S.getCond());
  Targets.push_back({});
  Targets.back().Entry = State;
  State.Dead = true; // only its labels lead into the body
  statement(S.getBody());
  Jumps Own = std::move(Targets.back());
  Targets.pop_back();
  for (const FlowState &Break : Own.Breaks)
    join(Break);
  if (!Own.HasDefault)
    join(Own.Entry);
}

void FlowReader::tryStatement(const CXXTryStmt &S) {
  FlowState Before = State;
  statement(S.getTryBlock());
  FlowState After = State;
  for (unsigned I = 0; I < S.getNumHandlers(); ++I) {
    State = Before;
    statement(S.getHandler(I)->getHandlerBlock());
    FlowState Handled = State;
    State = std::move(After);
    join(Handled);
    After = State;
  }
}

void FlowReader::rangeFor(const CXXForRangeStmt &S) {
  statement(S.getInit());
  FlowIndex Range = expression(S.getRangeInit());
  repeat([&] {
    const VarDecl *Var = S.getLoopVariable();
    if (const auto *Whole = dyn_cast<DecompositionDecl>(Var))
      declareParts(*Whole, Range);
    else
      hold(Var, part(Range, AnyPart));
    statement(S.getBody());
  });
}

void FlowReader::returnStatement(const ReturnStmt &S) {
  FlowIndex Value = expression(S.getRetValue());
  if (S.getRetValue() && !Types.members(S.getRetValue()->getType()).empty()) {
    escape(Value); // the caller does not tell its members apart
    Value = NoValue;
  }
  Span At = Spans.use(S.getSourceRange());
  if (Value != NoValue && Spans.hasError(At)) {
    escape(Value); // "x" may become "x.clone()"
    Value = NoValue;
  }
  if (!Lambdas.empty()) {
    Lambdas.back().Returned.push_back(Value);
    Targets[Lambdas.back().Target].Continues.push_back(State);
    State.Dead = true;
    return;
  }
  State.Dead = true;
  Out.Finishes = true;
  if (Value != NoValue)
    Out.Returns.push_back({Value, At});
}

static bool isNever(const Expr &Condition) {
  const Expr *Value = Condition.IgnoreParenImpCasts();
  if (const auto *Bool = dyn_cast<CXXBoolLiteralExpr>(Value))
    return !Bool->getValue();
  const auto *Number = dyn_cast<IntegerLiteral>(Value);
  return Number && Number->getValue().isZero();
}

/// Any other statement: its parts in their order.
void FlowReader::statements(const Stmt *S) {
  for (const Stmt *Child : S->children())
    statement(Child);
}

void FlowReader::doubt() {
  for (auto &[Var, Value] : State.Held)
    if (Value != NoValue)
      Value = oneOf({Value, fresh()});
}

/// What stands before an error is as it stands; what the error is in, or follows, is in doubt.
void FlowReader::compound(const CompoundStmt &S) {
  if (Out.Complete)
    return statements(&S);
  uint32_t Read = Spans.use(S.getSourceRange()).Offset;
  for (const Stmt *Child : S.body()) {
    Span At = Spans.use(Child->getSourceRange());
    if (!At.isValid() || At.File != 0 || At.end() < Read ||
        Spans.hasError({0, Read, At.end() - Read}))
      doubt();
    if (At.isValid() && At.File == 0)
      Read = At.end();
    statement(Child);
  }
}

void FlowReader::statement(const Stmt *S) {
  if (!S)
    return;
  if (const auto *Case = dyn_cast<SwitchCase>(S)) {
    auto Switch = llvm::find_if(llvm::reverse(Targets), [](const Jumps &J) { return !J.IsLoop; });
    if (Switch != Targets.rend()) {
      Switch->HasDefault |= isa<DefaultStmt>(Case);
      join(FlowState(Switch->Entry));
    }
    return statement(Case->getSubStmt());
  }
  if (const auto *Label = dyn_cast<LabelStmt>(S)) {
    State.Dead = false; // what holds where the goto stands is not followed
    return statement(Label->getSubStmt());
  }
  if (const auto *Compound = dyn_cast<CompoundStmt>(S))
    return compound(*Compound);
  if (State.Dead)
    return;
  if (const auto *E = dyn_cast<Expr>(S)) {
    expression(E);
  } else if (isa<AsmStmt>(S)) {
    unknown(S);
  } else if (const auto *Declared = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Declared->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D))
        declare(*Var);
  } else if (const auto *If = dyn_cast<IfStmt>(S)) {
    ifStatement(*If);
  } else if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
    switchStatement(*Switch);
  } else if (const auto *Try = dyn_cast<CXXTryStmt>(S)) {
    tryStatement(*Try);
  } else if (const auto *Range = dyn_cast<CXXForRangeStmt>(S)) {
    rangeFor(*Range);
  } else if (const auto *For = dyn_cast<ForStmt>(S)) {
    statement(For->getInit());
    repeat([&] {
      statement(For->getCond());
      statement(For->getBody());
      for (const FlowState &Continue : std::exchange(Targets.back().Continues, {}))
        join(Continue);
      statement(For->getInc());
    });
  } else if (const auto *Do = dyn_cast<DoStmt>(S); Do && isNever(*Do->getCond())) {
    once(*Do->getBody());
  } else if (isa<WhileStmt, DoStmt>(S)) {
    repeat([&] { statements(S); });
  } else if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    returnStatement(*Return);
  } else if (isa<BreakStmt, ContinueStmt>(S)) {
    bool Continue = isa<ContinueStmt>(S);
    auto To = llvm::find_if(llvm::reverse(Targets),
                            [&](const Jumps &J) { return J.IsLoop || !Continue; });
    if (To != Targets.rend())
      (Continue ? To->Continues : To->Breaks).push_back(State);
    State.Dead = true;
  } else {
    statements(S);
  }
}

void FlowReader::read(const FunctionDecl &F, const Stmt &Body) {
  Out.NumParams = F.getNumParams();
  Out.Values.push_back({});
  for (unsigned I = 0; I < F.getNumParams(); ++I) {
    FlowIndex Value = add(FlowValue::Parameter, I, {});
    const ParmVarDecl *P = F.getParamDecl(I);
    // A class may have pointers among its members.
    if (Types.carries(P->getType()) || P->getType()->isReferenceType() ||
        P->getType()->isRecordType())
      hold(P, Value);
  }
  holdParameters(F);
  statement(&Body);
  Out.Finishes |= !State.Dead;
}
