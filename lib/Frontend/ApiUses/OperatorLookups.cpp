//===- OperatorLookups.cpp - operators that code asks the dispatcher for -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// calls that name an operator => its constant names
//   <= typed<Sig>() on what they give, chained or through variables
//   <= call(...) on that
//
//===----------------------------------------------------------------------===//
#include "ApiUses/UsesInternal.h"
#include "Registrations/ConstantValues.h"
#include "Registrations/RegistrationInternal.h"

#include "opsig/Frontend/DispatcherCall.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace opsig;
using namespace clang;

namespace {

/// Variables may name each other.
constexpr unsigned MostSteps = 16;

/// The name of a method of the class, "" for anything else.
StringRef methodOf(const CXXMemberCallExpr &E, StringRef Class) {
  const CXXMethodDecl *Method = E.getMethodDecl();
  if (!Method || !Method->getDeclName().isIdentifier() || scopeName(*Method->getParent()) != Class)
    return "";
  return Method->getName();
}

bool isOptional(QualType T) {
  const auto *Record = T.getNonReferenceType()->getAsCXXRecordDecl();
  return Record && Record->getIdentifier() && Record->getName() == "optional";
}

/// What `*e`, `e->` and `e.value()` are taken out of.
const Expr *optionalBehind(const Expr *E) {
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(E))
    if (const CXXMethodDecl *Method = Member->getMethodDecl();
        Method && Method->getDeclName().isIdentifier() && Method->getName() == "value" &&
        isOptional(Member->getImplicitObjectArgument()->getType()))
      return Member->getImplicitObjectArgument();
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E);
  if (Operator && Operator->getNumArgs() == 1 && isOptional(Operator->getArg(0)->getType()) &&
      (Operator->getOperator() == OO_Star || Operator->getOperator() == OO_Arrow))
    return Operator->getArg(0);
  return nullptr;
}

const VarDecl *variableOf(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(underlying(E));
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

class LookupCollector : public RecursiveASTVisitor<LookupCollector> {
public:
  LookupCollector(ASTContext &Context, const ParseErrors &Errors, ProjectPlaces &Project,
                  UnitFacts &Unit)
      : Spans(Context, Unit, Errors.InMainFile, &Project), Values(Spans), Unit(Unit) {}

  bool shouldVisitLambdaBody() const { return true; }
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool TraverseCXXTryStmt(CXXTryStmt *S) {
    ++Handlers;
    bool GoOn = TraverseStmt(S->getTryBlock());
    --Handlers;
    for (unsigned I = 0; GoOn && I < S->getNumHandlers(); ++I)
      GoOn = TraverseStmt(S->getHandler(I)->getHandlerBlock());
    return GoOn;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    ++Mentions[Ref->getDecl()];
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) {
    if (E->isAssignmentOp())
      assign(E->getLHS());
    return true;
  }
  bool VisitCallExpr(CallExpr *E);

  void finish();

private:
  struct Lookup {
    const CallExpr *Call;
    std::string Function;
    const Expr *Name, *Overload; ///< or Name alone, a c10::OperatorName
    bool Probes, Caught;
  };

  void assign(const Expr *To) {
    if (const VarDecl *Var = variableOf(To))
      Assigned.insert(Var);
  }
  void demand(const Expr *Optional);
  /// The expression that \p E is worth, through variables that are set once.
  const Expr *behind(const Expr *E);
  const CallExpr *lookupBehind(const Expr *E);
  const CallExpr *typedBehind(const Expr *E);
  bool isOptionalUse(const Lookup &L);
  std::optional<OperatorLookup> read(const Lookup &L);
  std::optional<TypedHandle> readTyped(const CXXMemberCallExpr &E);
  KernelParam readParam(QualType T, const ParmVarDecl *Written);

  UnitSpans Spans;
  ConstantValues Values;
  UnitFacts &Unit;
  unsigned Handlers = 0;
  std::vector<Lookup> Lookups;
  std::vector<const CXXMemberCallExpr *> Typed, Called;
  llvm::DenseMap<const ValueDecl *, unsigned> Mentions, Demands;
  llvm::SmallPtrSet<const VarDecl *, 8> Assigned;
  llvm::SmallPtrSet<const CallExpr *, 8> Demanded;
};

/// The code relies on it that there is something in an optional.
void LookupCollector::demand(const Expr *Optional) {
  if (const VarDecl *Var = variableOf(Optional))
    ++Demands[Var];
  else if (const auto *Call = dyn_cast<CallExpr>(underlying(Optional)))
    Demanded.insert(Call);
}

bool LookupCollector::VisitCallExpr(CallExpr *E) {
  if (const Expr *Optional = optionalBehind(E))
    demand(Optional);
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E);
      Operator && Operator->getOperator() == OO_Equal)
    assign(Operator->getArg(0));
  const FunctionDecl *F = E->getDirectCallee();
  if (!F || !F->getDeclName().isIdentifier())
    return true;
  StringRef Name = F->getName();
  const auto *Member = dyn_cast<CXXMemberCallExpr>(E);
  if (!Member) {
    bool IsShim = Name == "torch_call_dispatcher" || Name == "aoti_torch_call_dispatcher";
    if (IsShim && E->getNumArgs() >= 2)
      Lookups.push_back({E, Name.str(), E->getArg(0), E->getArg(1), false, Handlers != 0});
    return true;
  }
  StringRef OfDispatcher = methodOf(*Member, "c10::Dispatcher");
  if (OfDispatcher == "findSchemaOrThrow" && E->getNumArgs() == 2)
    Lookups.push_back({E, Name.str(), E->getArg(0), E->getArg(1), false, Handlers != 0});
  else if ((OfDispatcher == "findSchema" || OfDispatcher == "findOp") && E->getNumArgs() == 1)
    Lookups.push_back({E, Name.str(), E->getArg(0), nullptr, true, Handlers != 0});
  else if (methodOf(*Member, "c10::OperatorHandle") == "typed")
    Typed.push_back(Member);
  else if (methodOf(*Member, "c10::TypedOperatorHandle") == "call")
    Called.push_back(Member);
  return true;
}

const Expr *LookupCollector::behind(const Expr *E) {
  for (unsigned Step = 0; Step < MostSteps; ++Step) {
    E = underlying(E);
    if (const Expr *Optional = optionalBehind(E)) {
      E = Optional;
      continue;
    }
    if (const auto *Copy = dyn_cast<CXXConstructExpr>(E); Copy && Copy->getNumArgs() == 1) {
      E = Copy->getArg(0);
      continue;
    }
    const VarDecl *Var = variableOf(E);
    if (!Var)
      return E;
    if (isa<ParmVarDecl>(Var) || !Var->getInit() || Assigned.contains(Var))
      return nullptr;
    E = Var->getInit();
  }
  return nullptr;
}

const CallExpr *LookupCollector::lookupBehind(const Expr *E) {
  E = behind(E);
  auto Known = llvm::find_if(Lookups, [&](const Lookup &L) { return L.Call == E; });
  return Known == Lookups.end() ? nullptr : Known->Call;
}

const CallExpr *LookupCollector::typedBehind(const Expr *E) {
  E = behind(E);
  auto Known = llvm::find(Typed, E);
  return Known == Typed.end() ? nullptr : *Known;
}

/// A handle in an optional that is asked for before it is used.
bool LookupCollector::isOptionalUse(const Lookup &L) {
  if (!L.Probes || L.Caught)
    return L.Caught;
  if (Demanded.contains(L.Call))
    return false;
  // Of a variable that is only taken for what it holds.
  for (const auto &[Decl, Count] : Demands) {
    const auto *Var = cast<VarDecl>(Decl);
    if (Var->getInit() && !Assigned.contains(Var) && behind(Var->getInit()) == L.Call)
      return Mentions.lookup(Decl) != Count;
  }
  return true;
}

KernelParam LookupCollector::readParam(QualType T, const ParmVarDecl *Written) {
  KernelParam Out;
  Out.Canonical = readType(T, Spans.context());
  TypeLoc At = Written && Written->getTypeSourceInfo() ? Written->getTypeSourceInfo()->getTypeLoc()
                                                       : TypeLoc();
  if (!At.isNull()) {
    placeType(Out.Canonical, At, Spans);
    Out.Name = Written->getNameAsString();
    Out.Whole = Spans.span(Written->getSourceRange());
    if (Out.Name.empty())
      Out.Type = Out.Whole;
  }
  Out.TypeText = Out.Type.isValid() ? inOneLine(Spans.text(Out.Type)) : Out.Canonical.written();
  return Out;
}

std::optional<TypedHandle> LookupCollector::readTyped(const CXXMemberCallExpr &E) {
  const auto *Member = dyn_cast<MemberExpr>(E.getCallee()->IgnoreParens());
  const TemplateArgumentList *Args = E.getMethodDecl()->getTemplateSpecializationArgs();
  if (!Member || !Args || Args->size() == 0 || (*Args)[0].getKind() != TemplateArgument::Type)
    return std::nullopt;
  QualType Of = (*Args)[0].getAsType();
  const auto *Type = Of->getAs<FunctionProtoType>();
  if (!Type || Of->isDependentType())
    return std::nullopt;
  FunctionProtoTypeLoc Written;
  if (Member->getNumTemplateArgs() == 1)
    if (TypeSourceInfo *Info = Member->getTemplateArgs()[0].getTypeSourceInfo())
      Written = Info->getTypeLoc().IgnoreParens().getAs<FunctionProtoTypeLoc>();
  TypedHandle Out;
  RegisteredKernel &K = Out.Signature;
  K.Is = RegisteredKernel::Function;
  K.Name = "typed<>";
  K.Use = Spans.use(SourceRange(Member->getMemberLoc(), Member->getEndLoc()));
  K.Decl.NameAt = K.Use;
  for (unsigned I = 0; I < Type->getNumParams(); ++I)
    K.Decl.Params.push_back(readParam(Type->getParamType(I).getCanonicalType().getUnqualifiedType(),
                                      Written ? Written.getParam(I) : nullptr));
  K.Decl.ReturnCanonical = readType(Type->getReturnType(), Spans.context());
  if (Written)
    K.Decl.Return = Spans.span(Written.getReturnLoc().getSourceRange());
  K.Decl.ReturnText = K.Decl.Return.isValid() ? inOneLine(Spans.text(K.Decl.Return))
                                              : K.Decl.ReturnCanonical.written();
  return Out;
}

/// Nothing where a name is no constant.
std::optional<OperatorLookup> LookupCollector::read(const Lookup &L) {
  const Expr *Name = L.Name, *Overload = L.Overload;
  if (!Overload) {
    const auto *Pair = dyn_cast<CXXConstructExpr>(Values.valueOf(Name).E);
    if (!Pair || Pair->getNumArgs() != 2)
      return std::nullopt;
    Name = Pair->getArg(0);
    Overload = Pair->getArg(1);
  }
  std::optional<LiteralText> First = readText(Name, Values), Second = readText(Overload, Values);
  if (!First || !Second)
    return std::nullopt;
  OperatorLookup Out;
  Out.Function = L.Function;
  Out.Name = std::move(*First);
  Out.Overload = std::move(*Second);
  Out.Optional = isOptionalUse(L);
  Out.At = Spans.use(L.Call->getSourceRange());
  return Out;
}

void LookupCollector::finish() {
  llvm::DenseMap<const CallExpr *, size_t> IndexOf;
  for (const Lookup &L : Lookups)
    if (std::optional<OperatorLookup> Out = read(L)) {
      IndexOf[L.Call] = Unit.Lookups.size();
      Unit.Lookups.push_back(std::move(*Out));
    }
  llvm::DenseMap<const CallExpr *, std::pair<size_t, size_t>> TypedIndex;
  for (const CXXMemberCallExpr *E : Typed) {
    auto Of = IndexOf.find(lookupBehind(E->getImplicitObjectArgument()));
    std::optional<TypedHandle> Handle = readTyped(*E);
    if (Of == IndexOf.end() || !Handle)
      continue;
    std::vector<TypedHandle> &Handles = Unit.Lookups[Of->second].Typed;
    TypedIndex[E] = {Of->second, Handles.size()};
    Handles.push_back(std::move(*Handle));
  }
  for (const CXXMemberCallExpr *E : Called) {
    auto Of = TypedIndex.find(typedBehind(E->getImplicitObjectArgument()));
    if (Of != TypedIndex.end())
      Unit.Lookups[Of->second.first].Typed[Of->second.second].Calls.push_back(
          Spans.use(E->getSourceRange()));
  }
}

} // namespace

void opsig::collectLookups(llvm::ArrayRef<Decl *> TopLevel, ASTContext &Context,
                           const ParseErrors &Errors, ProjectPlaces &Project, UnitFacts &Unit) {
  LookupCollector Collector(Context, Errors, Project, Unit);
  for (Decl *D : TopLevel)
    Collector.TraverseDecl(D);
  Collector.finish();
}
