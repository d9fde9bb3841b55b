//===- DispatchChanges.cpp - code that changes the choice of kernels --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where it is not certain that code leaves the choice alone, it may change it.
//
//===----------------------------------------------------------------------===//
#include "Bodies/DispatchChanges.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace opsig;
using namespace clang;

namespace {

/// Guards that leave the choice of kernels alone.
bool isHarmlessGuard(StringRef Class) {
  return Class.contains("DeviceGuard") || Class.contains("StreamGuard") ||
         Class.contains("CUDAGuard") || Class.contains("HIPGuard") || Class == "NoGradGuard";
}

bool hasNameOfGuard(StringRef Class) {
  return Class.contains("Guard") || Class.contains("Dispatch") || Class.contains("Mode") ||
         Class.starts_with("AutoNon");
}

/// Of neither the standard library nor PyTorch, whose classes are known by their names.
bool isOwn(const Decl &D) {
  const DeclContext *Outermost = nullptr;
  for (const DeclContext *C = D.getDeclContext(); C; C = C->getParent())
    if (isa<NamespaceDecl>(C))
      Outermost = C;
  const auto *Namespace = dyn_cast_or_null<NamespaceDecl>(Outermost);
  bool IsLibrary = Namespace && llvm::is_contained({"std", "at", "c10", "torch", "caffe2"},
                                                   Namespace->getName());
  const SourceManager &SM = D.getASTContext().getSourceManager();
  return !IsLibrary && !SM.isInSystemHeader(D.getLocation());
}

/// Looks for what changes the choice, and does not change it back.
class ChangeFinder : public RecursiveASTVisitor<ChangeFinder> {
  using Visitor = RecursiveASTVisitor<ChangeFinder>;

public:
  /// \p LocalsCount: a guard in a local variable changes the choice of what follows.
  ChangeFinder(DispatchChanges &Changes, bool LocalsCount)
      : Changes(Changes), LocalsCount(LocalsCount) {}

  bool TraverseLambdaExpr(LambdaExpr *E) {
    bool Outer = LocalsCount;
    LocalsCount = false; // they end with the lambda's body
    bool GoOn = Visitor::TraverseLambdaExpr(E);
    LocalsCount = Outer;
    return GoOn;
  }

  bool VisitVarDecl(VarDecl *Var) {
    bool EndsHere = Var->hasLocalStorage() && !Var->getType()->isPointerType();
    if (EndsHere && Var->getInit()) {
      Inits.insert(Var->getInit()->IgnoreImplicit());
      Inits.insert(Var->getInit()->IgnoreUnlessSpelledInSource());
    }
    Found |= LocalsCount ? Changes.ofType(Var->getType()) : !EndsHere && isGuard(Var->getType());
    return !Found;
  }
  bool VisitCallExpr(CallExpr *E) {
    const FunctionDecl *F = E->getDirectCallee();
    bool SetsKeys = F && F->getDeclName().isIdentifier() &&
                    (F->getName().contains("dispatch_key") || F->getName().contains("DispatchKey"));
    const auto *Member = dyn_cast<CXXMemberCallExpr>(E);
    Found |= SetsKeys || (F && Changes.ofFunction(*F)) || leavesGuard(*E) ||
             (Member && isGuard(Member->getObjectType()));
    return !Found;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    Found |= Changes.ofFunction(*E->getConstructor()) || leavesGuard(*E);
    return !Found;
  }

  /// What members that are no guards begin with.
  void readMembers(const CXXConstructorDecl &C) {
    for (const CXXCtorInitializer *Init : C.inits())
      if (Init->getInit() && !isGuard(Init->getInit()->getType()))
        TraverseStmt(Init->getInit());
  }

  bool Found = false;

private:
  /// Keys by themselves change nothing.
  bool isGuard(QualType T) {
    const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
    bool HasName = Class && Class->getIdentifier();
    bool IsKnown =
        HasName && (Class->getName() == "DispatchKeySet" || Class->getName() == "Dispatcher" ||
                    Class->getName().contains("OperatorHandle"));
    return !IsKnown && Changes.ofType(T);
  }
  /// \p E makes a guard that is in no local variable.
  bool leavesGuard(const Expr &E) {
    return E.isPRValue() && !Inits.contains(&E) && isGuard(E.getType());
  }

  DispatchChanges &Changes;
  bool LocalsCount;
  llvm::SmallPtrSet<const Expr *, 8> Inits; ///< of local variables
};

} // namespace

bool DispatchChanges::ofClass(const CXXRecordDecl &Class) {
  StringRef Name = Class.getIdentifier() ? Class.getName() : "";
  if (isHarmlessGuard(Name))
    return false;
  if (hasNameOfGuard(Name))
    return true;
  if (const auto *Made = dyn_cast<ClassTemplateSpecializationDecl>(&Class))
    for (const TemplateArgument &A : Made->getTemplateArgs().asArray())
      if (A.getKind() == TemplateArgument::Type && ofType(A.getAsType()))
        return true;
  if (!Class.hasDefinition() || !isOwn(Class))
    return false;
  bool Holds =
      llvm::any_of(Class.fields(), [&](const FieldDecl *F) { return ofType(F->getType()); }) ||
      llvm::any_of(Class.bases(), [&](const auto &Base) { return ofType(Base.getType()); });
  return Holds || llvm::any_of(Class.ctors(), [&](const CXXConstructorDecl *C) {
           bool IsUnseen = C->isUserProvided() && !C->hasBody() &&
                           Class.hasUserDeclaredDestructor(); // it may be what a guard does
           return IsUnseen || ofFunction(*C);
         });
}

bool DispatchChanges::ofType(QualType T) {
  if (T.isNull())
    return false;
  T = T.getNonReferenceType();
  while (T->isPointerType() || T->isArrayType())
    T = T->isPointerType() ? T->getPointeeType() : QualType(T->getArrayElementTypeNoTypeQual(), 0);
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  if (!Class || Class->isLambda())
    return false;
  if (Class->hasDefinition())
    Class = Class->getDefinition();
  auto [It, New] = Classes.try_emplace(Class, false);
  if (!New)
    return It->second;
  bool Is = ofClass(*Class); // may move Classes
  return Classes[Class] = Is;
}

bool DispatchChanges::ofFunction(const FunctionDecl &F) {
  const FunctionDecl *Definition = nullptr;
  const Stmt *Body = F.getBody(Definition);
  if (!Body || Definition->isDependentContext() || !isOwn(*Definition))
    return false;
  auto [It, New] = Functions.try_emplace(Definition, false);
  if (!New)
    return It->second;
  ChangeFinder Finder(*this, /*LocalsCount=*/false);
  Finder.TraverseStmt(const_cast<Stmt *>(Body));
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Definition))
    Finder.readMembers(*Constructor);
  return Functions[Definition] = Finder.Found;
}

bool DispatchChanges::ofBody(const Stmt &Body) {
  ChangeFinder Finder(*this, /*LocalsCount=*/true);
  Finder.TraverseStmt(const_cast<Stmt *>(&Body));
  return Finder.Found;
}
