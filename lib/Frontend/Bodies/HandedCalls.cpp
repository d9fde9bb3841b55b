//===- HandedCalls.cpp - calls that get what the function got -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// body => calls whose arguments are parameters, unchanged => those that no way avoids
//
// Where the dispatcher may choose otherwise than it did for this function, there are none.
//
//===----------------------------------------------------------------------===//
#include "Bodies/FlowInternal.h"
#include "Registrations/ConstantValues.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace opsig;
using namespace clang;

namespace {

/// Guards that leave the choice of kernels alone.
bool isHarmlessGuard(StringRef Class) {
  return Class.contains("DeviceGuard") || Class.contains("StreamGuard") ||
         Class.contains("CUDAGuard") || Class.contains("HIPGuard") || Class == "NoGradGuard";
}

/// An object of the class may change what the dispatcher chooses as long as it lives.
bool mayChangeDispatch(QualType T) {
  const auto *Record = T.getNonReferenceType()->getAsCXXRecordDecl();
  StringRef Name = Record && Record->getIdentifier() ? Record->getName() : "";
  if (isHarmlessGuard(Name))
    return false;
  return Name.contains("Guard") || Name.contains("Dispatch") || Name.contains("Mode") ||
         Name.starts_with("AutoNon");
}

/// The parameter that \p E is, without more than conversions.
const ParmVarDecl *paramBehind(const Expr *E) {
  E = E->IgnoreUnlessSpelledInSource();
  if (const auto *Call = dyn_cast<CallExpr>(E); Call && Call->isCallToStdMove())
    E = Call->getArg(0)->IgnoreUnlessSpelledInSource();
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
}

/// What a body calls, and what it assigns, lambdas left out.
class CallFinder : public RecursiveASTVisitor<CallFinder> {
public:
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }

  bool VisitCallExpr(CallExpr *E) {
    const FunctionDecl *F = E->getDirectCallee();
    if (F && F->getDeclName().isIdentifier() &&
        (F->getName().contains("dispatch_key") || F->getName().contains("DispatchKey")))
      ChangesDispatch = true;
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
      if (Operator->isAssignmentOp() && Operator->getNumArgs() == 2)
        assign(Operator->getArg(0));
      return true;
    }
    if (F && E->getNumArgs() + isa<CXXMemberCallExpr>(E) > 0)
      Calls.push_back(E);
    return true;
  }
  bool VisitVarDecl(VarDecl *Var) {
    ChangesDispatch |= mayChangeDispatch(Var->getType());
    return true;
  }
  bool VisitCXXTryStmt(CXXTryStmt *) {
    HasHandlers = true;
    return true;
  }

  std::vector<const CallExpr *> Calls;
  llvm::SmallPtrSet<const ParmVarDecl *, 4> Assigned;
  bool ChangesDispatch = false, HasHandlers = false;

private:
  void assign(const Expr *To) {
    if (const ParmVarDecl *P = paramBehind(To))
      Assigned.insert(P);
  }
};

class HandedCallReader {
public:
  HandedCallReader(const FunctionDecl &F, const Stmt &Body, UnitSpans &Spans, FlowTypes &Types)
      : F(F), Body(Body), Spans(Spans), Types(Types), Values(Spans) {}

  std::vector<FlowCall> read();

private:
  bool isUnchanged(const ParmVarDecl &P);
  bool add(FlowCall &Call, std::string Param, uint32_t Position, const Expr *E);
  std::optional<FlowCall> handed(const CallExpr &E);

  const FunctionDecl &F;
  const Stmt &Body;
  UnitSpans &Spans;
  FlowTypes &Types;
  ConstantValues Values;
  CallFinder Found;
};

/// Elements of a tensor may change: the dispatcher does not look at them.
bool HandedCallReader::isUnchanged(const ParmVarDecl &P) {
  if (P.getDeclContext() != &F || Found.Assigned.contains(&P))
    return false;
  QualType T = P.getType().getNonReferenceType();
  return T.isConstQualified() || isTensorClass(T) || Values.isUntouched(P);
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

std::vector<FlowCall> HandedCallReader::read() {
  Found.TraverseStmt(const_cast<Stmt *>(&Body));
  if (Found.ChangesDispatch || Found.HasHandlers)
    return {};
  std::optional<BodyPaths> Paths;
  std::vector<FlowCall> Out;
  for (const CallExpr *E : Found.Calls) {
    std::optional<FlowCall> Call = handed(*E);
    if (!Call)
      continue;
    if (!Paths)
      Paths.emplace(F, Body);
    if (Paths->allPass(*E))
      Out.push_back(std::move(*Call));
  }
  return Out;
}

} // namespace

std::vector<FlowCall> opsig::handedCalls(const FunctionDecl &F, const Stmt &Body, UnitSpans &Spans,
                                         FlowTypes &Types) {
  return HandedCallReader(F, Body, Spans, Types).read();
}
