//===- TensorChanges.cpp - variables that come to hold another tensor -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A use that is none of those known to leave the variable alone may change it. So may one that gets
// at what the tensor is made of, which has the keys that the dispatcher looks at.
//
//===----------------------------------------------------------------------===//
#include "Bodies/FlowInternal.h"
#include "Bodies/TensorChanges.h"
#include "Decls/StatementsAround.h"

using namespace opsig;
using namespace clang;

namespace {

/// PyTorch's functions write to the elements of a tensor that they take by reference.
bool isTorchFunction(const FunctionDecl &F, const FunctionDecl &From) {
  StringRef Name = F.getDeclName().isIdentifier() ? F.getName() : "";
  std::string Scoped = scopeName(F);
  if (Scoped == "c10::TypedOperatorHandle::call" ||
      Scoped == "c10::TypedOperatorHandle::redispatch")
    return true;
  return (Scoped == ("at::" + Name).str() || Scoped == ("torch::" + Name).str()) &&
         !areInOneFile(F, From);
}

bool isStdHelper(const FunctionDecl &F) {
  return llvm::is_contained({"std::move", "std::make_tuple", "std::make_pair"}, scopeName(F));
}

/// Gives the object behind a tensor, whose dispatch keys its methods set.
bool givesImpl(const CXXMethodDecl &Method) {
  StringRef Name = Method.getDeclName().isIdentifier() ? Method.getName() : "";
  return llvm::is_contained({"unsafeGetTensorImpl", "unsafeReleaseTensorImpl", "getIntrusivePtr"},
                            Name);
}

/// `x._set_neg(true)`: x has a key then that it may not have had. No kernel that comes back to
/// itself was chosen for a tensor that loses one by `false`.
bool addsKey(const CXXMethodDecl &Method, const CallExpr &Call) {
  StringRef Name = Method.getDeclName().isIdentifier() ? Method.getName() : "";
  if ((Name != "_set_neg" && Name != "_set_conj") || Call.getNumArgs() != 1)
    return false;
  const auto *Given = dyn_cast<CXXBoolLiteralExpr>(Call.getArg(0)->IgnoreParenImpCasts());
  return !Given || Given->getValue();
}

/// Collects the variables of a function that may come to hold something else.
class UseFinder : public StatementsAroundVisitor<UseFinder> {
public:
  UseFinder(TensorChanges &Changes, const FunctionDecl &F) : Changes(Changes), F(F) {}

  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (Var && isTensorClass(Var->getType().getNonReferenceType()) && !leavesAlone(*Ref))
      Changed.insert(Var->getCanonicalDecl());
    return true;
  }

  llvm::SmallPtrSet<const VarDecl *, 4> Changed;

private:
  bool leavesAlone(const DeclRefExpr &Ref);
  bool onlyAsksImpl(const CallExpr &Call) const;
  bool callLeavesAlone(const CallExpr &Call, const Stmt *Part, bool IsConst);

  TensorChanges &Changes;
  const FunctionDecl &F;
};

/// `x.unsafeGetTensorImpl()->dim()`
bool UseFinder::onlyAsksImpl(const CallExpr &Call) const {
  auto At = llvm::find(Around, &Call);
  while (At != Around.begin() && isa<Expr>(*--At))
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(*At))
      return Member->getMethodDecl() && Member->getMethodDecl()->isConst();
  return false;
}

/// \p Part is the argument, or what names the method.
bool UseFinder::callLeavesAlone(const CallExpr &Call, const Stmt *Part, bool IsConst) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee)
    return IsConst;
  if (const auto *Method = dyn_cast<CXXMethodDecl>(Callee); Method && Part == Call.getCallee()) {
    bool Replaces = (Method->getDeclName().isIdentifier() && Method->getName() == "set_data") ||
                    addsKey(*Method, Call);
    if (givesImpl(*Method))
      return onlyAsksImpl(Call);
    return !Replaces && (IsConst || Method->isConst());
  }
  if (IsConst || isTorchFunction(*Callee, F) || isStdHelper(*Callee))
    return true;
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call)) // x += y
    return Operator->isAssignmentOp() && Operator->getOperator() != OO_Equal;
  const FunctionDecl *Definition = nullptr;
  if (isa<CXXMethodDecl>(Callee) || !Callee->getBody(Definition))
    return false;
  for (unsigned I = 0; I < std::min(Call.getNumArgs(), Definition->getNumParams()); ++I)
    if (Call.getArg(I) == Part)
      return isTensorClass(Definition->getParamDecl(I)->getType().getNonReferenceType()) &&
             !Changes.mayChange(*Definition->getParamDecl(I), *Definition);
  return false;
}

bool UseFinder::leavesAlone(const DeclRefExpr &Ref) {
  bool IsConst = Ref.getType().isConstQualified();
  for (size_t I = Around.size() - 1; I-- > 0;) {
    const Stmt *Outer = Around[I];
    if (isa<CXXConstCastExpr>(Outer))
      return false;
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Outer)) {
      IsConst |= Cast->getType().isConstQualified();
      continue;
    }
    if (isa<MemberExpr, ParenExpr, MaterializeTemporaryExpr, CXXBindTemporaryExpr, ExplicitCastExpr,
            ExprWithCleanups>(Outer))
      continue;
    if (const auto *Call = dyn_cast<CallExpr>(Outer))
      return callLeavesAlone(*Call, Around[I + 1], IsConst);
    if (IsConst || isa<LambdaExpr>(Outer)) // what its body does is seen there
      return true;
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(Outer))
      return Construct->getConstructor()->isCopyOrMoveConstructor();
    if (isa<CompoundStmt>(Outer)) // (void)x;
      return true;
    return isa<ReturnStmt>(Outer) &&
           llvm::none_of(Around, [](const Stmt *S) { return isa<LambdaExpr>(S); });
  }
  return IsConst || Around.size() == 1;
}

} // namespace

bool TensorChanges::mayChange(const VarDecl &Var, const FunctionDecl &F) {
  const FunctionDecl *Definition = nullptr;
  const Stmt *Body = F.getBody(Definition);
  if (!Body || Open.contains(Definition))
    return true;
  auto It = Changed.find(Definition);
  if (It == Changed.end()) {
    Open.insert(Definition);
    UseFinder Finder(*this, *Definition);
    Finder.TraverseStmt(const_cast<Stmt *>(Body));
    Open.erase(Definition);
    It = Changed.try_emplace(Definition, std::move(Finder.Changed)).first;
  }
  return It->second.contains(Var.getCanonicalDecl());
}
