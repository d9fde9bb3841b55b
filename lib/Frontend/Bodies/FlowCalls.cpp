//===- FlowCalls.cpp - calls, operators, constructors -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What operators do is the business of schemas. Here are only the functions that are none: those of
// the standard library, and those by which a tensor gives its memory away.
//
//===----------------------------------------------------------------------===//
#include "Bodies/FlowInternal.h"

#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace clang;

llvm::SmallVector<FlowIndex, 4> FlowReader::arguments(llvm::ArrayRef<const Expr *> Args) {
  llvm::SmallVector<FlowIndex, 4> Values;
  for (const Expr *Argument : Args)
    Values.push_back(expression(Argument));
  return Values;
}

static llvm::ArrayRef<const Expr *> argsOf(const CallExpr &E) {
  return {E.getArgs(), E.getNumArgs()};
}

/// Where F is the `apply` of an autograd::Function: the `forward` that it calls, with a context in
/// front. Null for all others.
static const CXXMethodDecl *forwardOf(const FunctionDecl &F, unsigned NumArgs) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  const auto *Class =
      Method ? dyn_cast<ClassTemplateSpecializationDecl>(Method->getParent()) : nullptr;
  if (!Class || F.getNameAsString() != "apply" ||
      scopeName(*Class) != "torch::autograd::Function" || Class->getTemplateArgs().size() == 0)
    return nullptr;
  const CXXRecordDecl *Own = Class->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl();
  const CXXMethodDecl *Forward = nullptr;
  if (!Own)
    return nullptr;
  for (const CXXMethodDecl *M : Own->methods())
    if (M->getNameAsString() == "forward") {
      if (Forward || !M->isStatic() || M->getNumParams() != NumArgs + 1)
        return nullptr;
      Forward = M;
    }
  return Forward;
}

/// at::empty(sizes): the result is a value, so that a function that returns it twice is seen to do
/// so.
static bool makesTensor(const CallExpr &E, const FunctionDecl &F) {
  std::string Name = scopeName(F);
  bool IsTorch = StringRef(Name).starts_with("at::") || StringRef(Name).starts_with("torch::");
  return IsTorch && isTensorClass(E.getType()) && !E.isLValue();
}

FlowIndex FlowReader::record(const CallExpr &E, const FunctionDecl &Written,
                             const FlowIndex *Object) {
  const CXXMethodDecl *Forward = forwardOf(Written, E.getNumArgs());
  const FunctionDecl &F = Forward ? *Forward : Written;
  unsigned Before = Forward ? 1 : 0; // parameters that no argument stands for
  // Of an operator that is a member, the object is the first argument.
  llvm::ArrayRef<const Expr *> Args = argsOf(E);
  if (isa<CXXOperatorCallExpr>(E) && isa<CXXMethodDecl>(F))
    Args = Args.drop_front();
  llvm::SmallVector<FlowIndex, 4> Values = arguments(Args);
  FlowCall Call;
  if (Object && *Object != NoValue)
    Call.Args.push_back({"self", 0, *Object});
  uint32_t Position = Before, Member = F.getNumParams();
  for (auto [Argument, Value] : llvm::zip(Args, Values)) {
    const ParmVarDecl *P = Position < F.getNumParams() ? F.getParamDecl(Position) : nullptr;
    if (size_t Count = P ? Types.members(P->getType()).size() : 0) {
      handStruct(Argument, Value, *P, Member, Call);
      Member += Count;
    } else if (Value != NoValue) {
      Call.Args.push_back(
          {P ? P->getNameAsString() : "", Position, Value, isWritablePointer(F, Position)});
    }
    ++Position;
  }
  if (F.isNoReturn())
    State.Dead = true;
  if (Call.Args.empty() && !makesTensor(E, F))
    return NoValue;
  for (const ParmVarDecl *P : F.parameters())
    if (Types.isTensorLike(P->getType()))
      Call.TensorParams.push_back(P->getNameAsString());
  Call.Callee = scopeName(F);
  if (StringRef(Call.Callee).starts_with("at::"))
    for (QualType T : F.getType()->castAs<FunctionProtoType>()->getParamTypes())
      Call.ParamTypes.push_back(readType(T, Spans.context()));
  Callee(F, Call);
  Call.At = Spans.use(E.getSourceRange());
  Out.Calls.push_back(std::move(Call));
  if (!Types.carries(E.getType()) && !E.isLValue())
    return NoValue;
  return add(FlowValue::Result, Out.Calls.size() - 1, {});
}

//===- The standard library --------------------------------------------------===//

/// The I of std::get<I>.
static std::optional<unsigned> elementIndex(const FunctionDecl &F) {
  const TemplateArgumentList *Args = F.getTemplateSpecializationArgs();
  if (Args && Args->size() && Args->get(0).getKind() == TemplateArgument::Integral)
    return Args->get(0).getAsIntegral().getZExtValue();
  return std::nullopt;
}

/// tensor = at::from_blob(pointer, ...) is where the pointer leads.
static bool isFromBlob(StringRef Name) {
  return Name == "at::from_blob" || Name == "torch::from_blob" ||
         Name == "torch::stable::from_blob";
}

/// Nothing for a function that is not known.
std::optional<FlowIndex> FlowReader::standardCall(const CallExpr &E, StringRef Name) {
  if (int Written = writtenArgument(Name);
      Written >= 0 && unsigned(Written) < E.getNumArgs() &&
      E.getArg(Written)->IgnoreParenImpCasts()->getType()->isPointerType()) {
    llvm::SmallVector<FlowIndex, 4> Values = arguments(argsOf(E));
    write(Values[Written], &E);
    return Types.carries(E.getType()) ? Values[Written] : NoValue;
  }
  if (isFromBlob(Name) && E.getNumArgs())
    return arguments(argsOf(E)).front();
  if (!Name.consume_front("std::"))
    return std::nullopt;
  if (Name == "get" && E.getNumArgs() == 1) {
    FlowIndex Whole = expression(E.getArg(0));
    std::optional<unsigned> Index = elementIndex(*E.getDirectCallee());
    return Index ? part(Whole, *Index) : Whole;
  }
  bool IsSame = llvm::StringSwitch<bool>(Name)
                    .Cases({"move", "forward", "as_const", "addressof", "ref", "cref"}, true)
                    .Cases({"begin", "end", "cbegin", "cend", "data", "next", "prev"}, true)
                    .Default(false);
  if (IsSame && E.getNumArgs() >= 1)
    return arguments(argsOf(E)).front();
  if (Name == "make_tuple" || Name == "make_pair" || Name == "tie" || Name == "forward_as_tuple")
    return tuple(arguments(argsOf(E)));
  if (Name == "swap" && E.getNumArgs() == 2) {
    llvm::SmallVector<FlowIndex, 4> Values = arguments(argsOf(E));
    assign(E.getArg(0), Values[1], &E);
    assign(E.getArg(1), Values[0], &E);
    return NoValue;
  }
  return std::nullopt;
}

//===- Calls -----------------------------------------------------------------===//

FlowIndex FlowReader::call(const CallExpr &E) {
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&E))
    return operatorCall(*Operator);
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&E))
    return memberCall(*Member);
  const FunctionDecl *F = E.getDirectCallee();
  if (E.isTypeDependent())
    return unknown(&E);
  if (!F)
    return indirectCall(E);
  if (std::optional<FlowIndex> Value = standardCall(E, scopeName(*F)))
    return *Value;
  return record(E, *F, nullptr);
}

FlowIndex FlowReader::indirectCall(const CallExpr &E) {
  QualType Pointer = E.getCallee()->getType();
  const auto *Takes = Pointer->isFunctionPointerType()
                          ? Pointer->getPointeeType()->getAs<FunctionProtoType>()
                          : nullptr;
  if (!Takes)
    return unknown(&E);
  FlowCall Call;
  llvm::SmallVector<FlowIndex, 4> Values = arguments(argsOf(E));
  for (unsigned I = 0; I < Values.size(); ++I) {
    bool Writable = I < Takes->getNumParams() && isWritablePointer(Takes->getParamType(I));
    if (Writable && Values[I] != NoValue)
      Call.Args.push_back({"", I, Values[I], true});
    escape(Values[I]);
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E.getCallee()->IgnoreParenImpCasts()))
    Call.Callee = Ref->getDecl()->getNameAsString();
  Call.At = Spans.use(E.getSourceRange());
  if (!Call.Args.empty())
    Out.Calls.push_back(std::move(Call));
  return NoValue;
}

FlowIndex FlowReader::tensorMethod(const CXXMemberCallExpr &E, FlowIndex Object) {
  const CXXMethodDecl &Method = *E.getMethodDecl();
  std::string Name = Method.getNameAsString();
  if (givesMemory(Name)) {
    arguments(argsOf(E));
    return Object;
  }
  // x.index({...}): a view where only integers and slices are in it.
  if (Name == "index" && E.getNumArgs() == 1 && !Types.carries(E.getArg(0)->getType())) {
    arguments(argsOf(E));
    return oneOf({Object, NoValue});
  }
  QualType Result = E.getType();
  if (Method.isConst() && !Types.carries(Result) && !Result->isVoidType() && !E.isLValue()) {
    arguments(argsOf(E)); // sizes() and the like
    return NoValue;
  }
  return record(E, Method, &Object);
}

/// std::vector, c10::optional, c10::MaybeOwned, at::TensorAccessor ...: what holds tensors and
/// gives them away again.
FlowIndex FlowReader::containerMethod(const CXXMemberCallExpr &E, FlowIndex Object) {
  std::string Name = E.getMethodDecl()->getNameAsString();
  llvm::SmallVector<FlowIndex, 4> Values = arguments(argsOf(E));
  bool Adds = llvm::StringSwitch<bool>(Name)
                  .Cases({"push_back", "emplace_back", "insert", "emplace", "assign"}, true)
                  .Cases({"append", "set", "resize", "swap"}, true)
                  .Default(false);
  FlowIndex Given = NoValue;
  for (FlowIndex Value : Values)
    if (Value != NoValue)
      Given = Given == NoValue ? Value : oneOf({Given, Value});
  if (Adds) {
    // What is new counts, too: it may be what is taken out again.
    if (Given == NoValue &&
        llvm::any_of(argsOf(E), [&](const Expr *A) { return Types.carries(A->getType()); }))
      Given = fresh();
    if (Given != NoValue)
      addTo(E.getImplicitObjectArgument(), Given);
    return NoValue;
  }
  if (Name == "value_or")
    return add(FlowValue::OrElse, 0, {Object, Given});
  if (Given != NoValue)
    escape(Given);
  return Types.carries(E.getType()) || E.isLValue() ? part(Object, AnyPart) : NoValue;
}

FlowIndex FlowReader::memberCall(const CXXMemberCallExpr &E) {
  const CXXMethodDecl *Method = E.getMethodDecl();
  if (!Method || E.isTypeDependent())
    return unknown(&E);
  FlowIndex Object = expression(E.getImplicitObjectArgument());
  if (isa<CXXConversionDecl>(Method))
    return Types.carries(E.getType()) ? Object : NoValue;
  QualType Class = Spans.context().getCanonicalTagType(Method->getParent());
  if (isTensorClass(Class))
    return tensorMethod(E, Object);
  if (Types.isTensorLike(Class) || Types.carries(Class)) {
    std::string Name = className(Class);
    if (StringRef(Name).ends_with("TensorImpl") || StringRef(Name).ends_with("StorageImpl")) {
      escape(Object);
      arguments(argsOf(E));
      return Types.carries(E.getType()) ? Object : NoValue;
    }
    return containerMethod(E, Object);
  }
  escape(Object);
  if (!Method->isConst())
    loseStruct(E.getImplicitObjectArgument());
  return record(E, *Method, nullptr);
}

//===- Operators -------------------------------------------------------------===//

FlowIndex FlowReader::assignment(const CXXOperatorCallExpr &E) {
  const Expr *Left = E.getArg(0);
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(E.getDirectCallee());
  FlowIndex Value = expression(E.getArg(1));
  // x.select(0, 1) = y copies into the view.
  if (isTensorClass(Left->getType()) && Method && Method->getRefQualifier() == RQ_RValue) {
    FlowIndex View = expression(Left);
    write(View, &E);
    return View;
  }
  if (!Types.carries(Left->getType()) && !structVariable(Left))
    escape(Value);
  assign(Left, Value, &E);
  return Types.carries(Left->getType()) ? Value : NoValue;
}

FlowIndex FlowReader::operatorCall(const CXXOperatorCallExpr &E) {
  if (E.isTypeDependent() || !E.getDirectCallee())
    return unknown(&E);
  OverloadedOperatorKind Kind = E.getOperator();
  if (Kind == OO_Equal)
    return assignment(E);
  if (E.isAssignmentOp()) { // x += y
    expression(E.getArg(1));
    bool IsTensor = isTensorClass(E.getArg(0)->getType());
    if (!IsTensor && !Types.carries(E.getArg(0)->getType())) {
      change(E.getArg(0), &E);
      return NoValue;
    }
    FlowIndex Value = expression(E.getArg(0));
    if (IsTensor)
      write(Value, &E);
    return Value;
  }
  if (Kind == OO_Star && E.getNumArgs() == 2)
    Kind = OO_Slash; // a product, as the other arithmetic
  switch (Kind) {
  case OO_Subscript:
  case OO_Star:
  case OO_Arrow:
  case OO_PlusPlus:
  case OO_MinusMinus: {
    FlowIndex Value = arguments(argsOf(E)).front();
    if (!Types.carries(E.getType()))
      return E.isLValue() ? Value : NoValue;
    bool IsList =
        Types.isTensorLike(E.getArg(0)->getType()) && !isTensorClass(E.getArg(0)->getType());
    if (!IsList || (Kind != OO_Subscript && Kind != OO_Star))
      return Value;
    return element(Value, Kind == OO_Subscript ? E.getArg(1) : nullptr);
  }
  case OO_Call: {
    llvm::SmallVector<FlowIndex, 4> Values = arguments(argsOf(E));
    for (FlowIndex Value : llvm::drop_begin(Values))
      escape(Value);
    // A lambda's value is what it returns.
    return Types.carries(E.getType()) ? ofOneCall(Values.front()) : NoValue;
  }
  default:
    // Arithmetic makes new tensors; comparison and output read. Iterators move.
    llvm::SmallVector<FlowIndex, 4> Values = arguments(argsOf(E));
    bool Moves = Types.carries(E.getType()) && !isTensorClass(E.getType());
    return Moves ? Values.front() : NoValue;
  }
}

FlowIndex FlowReader::construct(const CXXConstructExpr &E) {
  llvm::ArrayRef<const Expr *> Args(E.getArgs(), E.getNumArgs());
  llvm::SmallVector<FlowIndex, 4> Values = arguments(Args);
  if (isStructCopy(E))
    return Values.front();
  if (!Types.carries(E.getType())) {
    // Another copy of a lambda.
    if (const auto *Class = E.getType()->getAsCXXRecordDecl();
        Class && Class->isLambda() && Values.size() == 1)
      return Values.front();
    for (FlowIndex Value : Values)
      escape(Value);
    return NoValue;
  }
  std::string Class = E.getConstructor()->getParent()->getNameAsString();
  unsigned Given = llvm::count_if(Args, [](const Expr *A) { return !isa<CXXDefaultArgExpr>(A); });
  if ((Class == "tuple" || Class == "pair") && Given > 1)
    return tuple(Values);
  llvm::SmallVector<FlowIndex, 4> Held;
  llvm::copy_if(Values, std::back_inserter(Held), [](FlowIndex V) { return V != NoValue; });
  return oneOf(Held);
}
