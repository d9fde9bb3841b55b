//===- HandedCalls.cpp - calls that get what the function got -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// body => calls whose arguments are parameters, unchanged => those that no way avoids
//
// Where the dispatcher may choose otherwise than it did for this function, there are none.
//
//===----------------------------------------------------------------------===//
#include "Bodies/DispatchChanges.h"
#include "Bodies/FlowInternal.h"
#include "Bodies/TensorChanges.h"
#include "Registrations/ConstantValues.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <set>

using namespace opsig;
using namespace clang;

namespace {

/// The variable that \p E is, without more than conversions.
const VarDecl *variableBehind(const Expr *E) {
  E = E->IgnoreUnlessSpelledInSource();
  if (const auto *Call = dyn_cast<CallExpr>(E); Call && Call->isCallToStdMove())
    E = Call->getArg(0)->IgnoreUnlessSpelledInSource();
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

/// What the local variable \p Var begins as, where that is another variable: `auto &x = self;`.
const VarDecl *beginsAs(const VarDecl &Var) {
  if (!Var.isLocalVarDecl() || Var.isStaticLocal() || !Var.getInit())
    return nullptr;
  const VarDecl *Other = variableBehind(Var.getInit());
  return Other != &Var ? Other : nullptr;
}

/// What a body calls, and what it assigns, lambdas left out.
class CallFinder : public RecursiveASTVisitor<CallFinder> {
public:
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }

  bool VisitCallExpr(CallExpr *E) {
    const FunctionDecl *F = E->getDirectCallee();
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
      if (Operator->isAssignmentOp() && Operator->getNumArgs() == 2)
        assign(Operator->getArg(0));
      return true;
    }
    if (F && E->getNumArgs() + isa<CXXMemberCallExpr>(E) > 0)
      Calls.push_back(E);
    return true;
  }
  bool VisitCXXTryStmt(CXXTryStmt *) {
    HasHandlers = true;
    return true;
  }

  std::vector<const CallExpr *> Calls;
  llvm::SmallPtrSet<const VarDecl *, 4> Assigned;
  bool HasHandlers = false;

private:
  void assign(const Expr *To) {
    const VarDecl *Var = variableBehind(To);
    while (Var && Assigned.insert(Var).second)
      Var = Var->getType()->isReferenceType() ? beginsAs(*Var) : nullptr;
  }
};

} // namespace

/// What is known of the functions of a file.
struct HandedCalls::Functions {
  Functions(UnitSpans &Spans, FlowTypes &Types)
      : Spans(Spans), Types(Types), Values(Spans), Dispatch(Spans) {}

  UnitSpans &Spans;
  FlowTypes &Types;
  ConstantValues Values;
  DispatchChanges Dispatch;
  TensorChanges Tensors;
  /// The calls of functions that others call, with their own parameters.
  std::map<const FunctionDecl *, std::vector<FlowCall>> OfHelpers;
};

namespace {

class HandedCallReader {
public:
  HandedCallReader(const FunctionDecl &F, const Stmt &Body, HandedCalls::Functions &Known)
      : F(F), Body(Body), Known(Known), Spans(Known.Spans), Types(Known.Types),
        Values(Known.Values) {}

  /// Those of the body, and those of helpers that the body calls.
  std::vector<FlowCall> read();

  std::vector<FlowCall> ofBody();

private:
  bool isBehindOpen(const CallExpr &E) const;
  bool isUnchanged(const ParmVarDecl &P);
  const ParmVarDecl *paramBehind(const Expr *E);
  bool add(FlowCall &Call, std::string Param, uint32_t Position, const Expr *E);
  std::optional<FlowCall> handed(const CallExpr &E);
  const std::vector<FlowCall> &callsOf(const FunctionDecl &Helper);
  std::optional<std::vector<FlowIndex>> givenTo(const FunctionDecl &Helper, const CallExpr &E);

  const FunctionDecl &F;
  const Stmt &Body;
  HandedCalls::Functions &Known;
  UnitSpans &Spans;
  FlowTypes &Types;
  ConstantValues &Values;
  CallFinder Found;
  BodyDispatch Dispatch;
};

/// Code that nobody sees may have changed the choice of kernels in front of \p E.
bool HandedCallReader::isBehindOpen(const CallExpr &E) const {
  const SourceManager &SM = Spans.context().getSourceManager();
  return llvm::any_of(Dispatch.OpenCalls, [&](const CallExpr *Open) {
    return Open != &E && SM.isBeforeInTranslationUnit(Open->getBeginLoc(), E.getEndLoc());
  });
}

/// Elements of a tensor may change: the dispatcher does not look at them.
bool HandedCallReader::isUnchanged(const ParmVarDecl &P) {
  if (P.getDeclContext() != &F || Found.Assigned.contains(&P))
    return false;
  QualType T = P.getType().getNonReferenceType();
  return isTensorClass(T) ? !Known.Tensors.mayChange(P, F)
                          : T.isConstQualified() || Values.isUntouched(P);
}

/// The parameter that \p E is, or that a local variable stands for from beginning to end.
const ParmVarDecl *HandedCallReader::paramBehind(const Expr *E) {
  llvm::SmallPtrSet<const VarDecl *, 4> Seen;
  const VarDecl *Var = variableBehind(E);
  while (Var && !isa<ParmVarDecl>(Var) && Seen.insert(Var).second) {
    bool IsConst = Var->getType().getNonReferenceType().isConstQualified();
    bool Stays = !Found.Assigned.contains(Var) && (IsConst || Values.isUntouched(*Var));
    Var = Stays ? beginsAs(*Var) : nullptr;
  }
  return dyn_cast_or_null<ParmVarDecl>(Var);
}

bool HandedCallReader::add(FlowCall &Call, std::string Param, uint32_t Position, const Expr *E) {
  const ParmVarDecl *P = paramBehind(E);
  if (!P || !isUnchanged(*P))
    return false;
  Call.Args.push_back({std::move(Param), Position, FlowIndex(P->getFunctionScopeIndex() + 1)});
  return true;
}

std::optional<FlowCall> HandedCallReader::handed(const CallExpr &E) {
  const FunctionDecl &Callee = *E.getDirectCallee();
  FlowCall Call;
  Call.Callee = scopeName(Callee);
  StringRef Name = Call.Callee;
  bool IsHandle = Name == "c10::TypedOperatorHandle::call";
  if ((!Name.starts_with("at::") && !IsHandle) || E.getNumArgs() > Callee.getNumParams())
    return std::nullopt;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&E); Member && !IsHandle)
    if (!add(Call, "self", 0, Member->getImplicitObjectArgument()))
      return std::nullopt;
  for (unsigned I = 0; I < E.getNumArgs(); ++I)
    if (!add(Call, Callee.getParamDecl(I)->getNameAsString(), I, E.getArg(I)))
      return std::nullopt;
  bool HasTensor = llvm::any_of(Call.Args, [&](const FlowArgument &A) {
    return Types.carries(F.getParamDecl(A.Value - 1)->getType());
  });
  if (!HasTensor)
    return std::nullopt;
  for (const ParmVarDecl *P : Callee.parameters())
    if (Types.isTensorLike(P->getType()))
      Call.TensorParams.push_back(P->getNameAsString());
  for (QualType T : Callee.getType()->castAs<FunctionProtoType>()->getParamTypes())
    Call.ParamTypes.push_back(readType(T, Spans.context()));
  Call.At = Spans.use(E.getSourceRange());
  return Call;
}

/// `self.exp()` and `at::exp(self)` come to one operator; of two handles that is not known.
bool isSameCall(const FlowCall &L, const FlowCall &R) {
  auto Operator = [](StringRef Callee) {
    Callee.consume_front("at::");
    Callee.consume_front("Tensor::");
    return Callee;
  };
  return StringRef(L.Callee).starts_with("at::") && Operator(L.Callee) == Operator(R.Callee) &&
         std::equal(
             L.Args.begin(), L.Args.end(), R.Args.begin(), R.Args.end(),
             [](const FlowArgument &A, const FlowArgument &B) { return A.Value == B.Value; });
}

/// The function that \p E calls, if it is one of the same file that has one definition; null
/// otherwise.
const FunctionDecl *helperOf(const CallExpr &E, const FunctionDecl &From) {
  const FunctionDecl *Definition = nullptr;
  const FunctionDecl *Callee = E.getDirectCallee();
  if (!Callee->getBody(Definition) || isa<CXXMethodDecl>(Callee) ||
      Callee->getTemplatedKind() != FunctionDecl::TK_NonTemplate ||
      Definition->hasAttr<WeakAttr>() || E.getNumArgs() != Definition->getNumParams() ||
      Definition->getCanonicalDecl() == From.getCanonicalDecl())
    return nullptr;
  return areInOneFile(*Definition, From) ? Definition : nullptr;
}

/// The parameters of this function, unchanged, that \p E hands to \p Helper one by one.
std::optional<std::vector<FlowIndex>> HandedCallReader::givenTo(const FunctionDecl &Helper,
                                                                const CallExpr &E) {
  std::vector<FlowIndex> Given;
  for (unsigned I = 0; I < E.getNumArgs(); ++I) {
    const ParmVarDecl *P = paramBehind(E.getArg(I));
    auto Plain = [](QualType T) { return T.getNonReferenceType().getCanonicalType(); };
    if (!P || !isUnchanged(*P) ||
        Plain(P->getType()).getUnqualifiedType() !=
            Plain(Helper.getParamDecl(I)->getType()).getUnqualifiedType())
      return std::nullopt;
    Given.push_back(FlowIndex(P->getFunctionScopeIndex() + 1));
  }
  return Given;
}

const std::vector<FlowCall> &HandedCallReader::callsOf(const FunctionDecl &Helper) {
  auto It = Known.OfHelpers.find(&Helper);
  if (It == Known.OfHelpers.end()) {
    std::vector<FlowCall> Calls = HandedCallReader(Helper, *Helper.getBody(), Known).ofBody();
    It = Known.OfHelpers.emplace(&Helper, std::move(Calls)).first;
  }
  return It->second;
}

std::vector<FlowCall> HandedCallReader::read() {
  std::vector<FlowCall> Out = ofBody();
  if (Dispatch.MayChange || Found.HasHandlers)
    return Out;
  std::optional<BodyPaths> Paths;
  std::set<std::pair<const FunctionDecl *, std::vector<FlowIndex>>> Seen;
  for (const CallExpr *E : Found.Calls) {
    const FunctionDecl *Helper = helperOf(*E, F);
    if (!Helper || isBehindOpen(*E) || callsOf(*Helper).empty())
      continue;
    std::optional<std::vector<FlowIndex>> Given = givenTo(*Helper, *E);
    if (!Given || Seen.contains({Helper, *Given}))
      continue;
    if (!Paths)
      Paths.emplace(F, Body);
    if (!Paths->allPass(*E))
      continue;
    Seen.insert({Helper, *Given});
    for (FlowCall Call : callsOf(*Helper)) {
      for (FlowArgument &A : Call.Args)
        A.Value = (*Given)[A.Value - 1];
      Out.push_back(std::move(Call));
    }
  }
  return Out;
}

std::vector<FlowCall> HandedCallReader::ofBody() {
  Found.TraverseStmt(const_cast<Stmt *>(&Body));
  Dispatch = Known.Dispatch.ofBody(Body);
  if (Dispatch.MayChange || Found.HasHandlers)
    return {};
  std::vector<std::pair<const CallExpr *, FlowCall>> Candidates;
  for (const CallExpr *E : Found.Calls)
    if (std::optional<FlowCall> Call = isBehindOpen(*E) ? std::nullopt : handed(*E))
      Candidates.emplace_back(E, std::move(*Call));
  if (Candidates.empty())
    return {};
  BodyPaths Paths(F, Body);
  std::vector<FlowCall> Out;
  llvm::SmallPtrSet<const CallExpr *, 4> Grouped;
  for (const auto &[E, Call] : Candidates) {
    if (Paths.allPass(*E)) {
      Out.push_back(Call);
      continue;
    }
    // Each branch may have its own call of the one operator.
    llvm::SmallVector<const Stmt *, 2> Same;
    for (const auto &[Other, OtherCall] : Candidates)
      if (isSameCall(Call, OtherCall) && Grouped.insert(Other).second)
        Same.push_back(Other);
    if (Same.size() > 1 && Paths.allPass(Same))
      Out.push_back(Call);
  }
  return Out;
}

} // namespace

bool opsig::areInOneFile(const FunctionDecl &L, const FunctionDecl &R) {
  const SourceManager &SM = L.getASTContext().getSourceManager();
  auto FileOf = [&](const FunctionDecl &F) {
    return SM.getFileID(SM.getExpansionLoc(F.getLocation()));
  };
  return FileOf(L) == FileOf(R);
}

HandedCalls::HandedCalls(UnitSpans &Spans, FlowTypes &Types)
    : Known(std::make_unique<Functions>(Spans, Types)) {}
HandedCalls::~HandedCalls() = default;

std::vector<FlowCall> HandedCalls::of(const FunctionDecl &F, const Stmt &Body) {
  return HandedCallReader(F, Body, *Known).read();
}
