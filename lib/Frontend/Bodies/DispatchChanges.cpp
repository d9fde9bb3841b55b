//===- DispatchChanges.cpp - code that changes the choice of kernels --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where it is not certain that code leaves the choice alone, it may change it. A function whose
// body is not seen is taken to leave it alone, unless it can leave an object behind that changes
// it, or its name says that it does.
//
//===----------------------------------------------------------------------===//
#include "Bodies/DispatchChanges.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <array>

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

/// Classes of the project that end something else than a choice of kernels.
bool hasHarmlessName(StringRef Class) {
  return llvm::any_of(std::array{"Lock", "Timer", "Profil", "Trac", "Stream", "Event"},
                      [&](StringRef Word) { return Class.contains_insensitive(Word); });
}

/// `enterBackend`, `disable_dispatch`, `push_mode`: a function that nothing else is known of.
bool soundsLikeChange(StringRef Function) {
  for (StringRef Word : {"dispatch", "guard", "exclude", "tls"})
    if (Function.contains_insensitive(Word))
      return true;
  for (StringRef Word : {"enter", "push", "disable", "skip", "bypass"})
    if (Function.starts_with_insensitive(Word))
      return true;
  return false;
}

StringRef nameOf(const NamedDecl &D) {
  return D.getDeclName().isIdentifier() && D.getIdentifier() ? D.getName() : "";
}

/// `hook()`, of a std::function.
bool isFunctionObject(const CallExpr &E) {
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&E);
  if (!Operator || Operator->getOperator() != OO_Call)
    return false;
  const CXXRecordDecl *Class = Operator->getArg(0)->getType()->getAsCXXRecordDecl();
  return Class && Class->isInStdNamespace() && nameOf(*Class) == "function";
}

bool isLocalObject(const Expr &Object) {
  const auto *Ref = dyn_cast<DeclRefExpr>(Object.IgnoreParenImpCasts());
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && Var->hasLocalStorage() && !Var->getType()->isReferenceType();
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
    if (Changes.mayBeByCall(*E))
      Open.push_back(E);
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
  /// Calls of which nothing is known but that they may change it.
  std::vector<const CallExpr *> Open;

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
  if (!Class.hasDefinition() || Spans.isForeign(Class))
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
  if (!Body || Definition->isDependentContext() || Spans.isForeign(*Definition))
    return false;
  auto [It, New] = Functions.try_emplace(Definition, false);
  if (!New)
    return It->second;
  ChangeFinder Finder(*this, /*LocalsCount=*/false);
  Finder.TraverseStmt(const_cast<Stmt *>(Body));
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Definition))
    Finder.readMembers(*Constructor);
  // What a call leaves in a local variable ends with the function.
  bool IsOpen = llvm::any_of(Finder.Open, [&](const CallExpr *E) { return mayLeaveKeys(*E); });
  return Functions[Definition] = Finder.Found || IsOpen;
}

/// An object of the class, or what it holds, may be a guard that code out of sight has made.
bool DispatchChanges::mayBeGuard(QualType T) {
  T = T.getNonReferenceType();
  if (T->isPointerType())
    T = T->getPointeeType();
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  if (!Class || Class->isLambda() || isHarmlessGuard(nameOf(*Class)))
    return false;
  if (ofType(T))
    return true;
  auto [It, New] = Opaque.try_emplace(Class->getCanonicalDecl(), false);
  if (!New)
    return It->second;
  bool Is = mayBeGuardClass(*Class); // may move Opaque
  return Opaque[Class->getCanonicalDecl()] = Is;
}

bool DispatchChanges::mayBeGuardClass(const CXXRecordDecl &Class) {
  if (Class.isInStdNamespace() && nameOf(Class) == "any")
    return true;
  if (const auto *Made = dyn_cast<ClassTemplateSpecializationDecl>(&Class);
      Made && (Class.isInStdNamespace() || Spans.isForeign(Class)))
    return llvm::any_of(Made->getTemplateArgs().asArray(), [&](const TemplateArgument &A) {
      return A.getKind() == TemplateArgument::Type &&
             ((A.getAsType()->isVoidType() && nameOf(Class) == "shared_ptr") ||
              mayBeGuard(A.getAsType()));
    });
  if (Spans.isForeign(Class) || hasHarmlessName(nameOf(Class)))
    return false;
  if (!Class.hasDefinition())
    return true;
  const CXXRecordDecl &Whole = *Class.getDefinition();
  const CXXDestructorDecl *End = Whole.getDestructor();
  if (End && End->isUserProvided() && (End->isVirtual() || !End->hasBody() || ofFunction(*End)))
    return true;
  return llvm::any_of(Whole.fields(),
                      [&](const FieldDecl *F) {
                        return !F->getType()->isPointerType() && mayBeGuard(F->getType());
                      }) ||
         llvm::any_of(Whole.bases(), [&](const auto &Base) { return mayBeGuard(Base.getType()); });
}

/// Nobody sees what \p E runs, and it is none of a library's.
bool DispatchChanges::isOutOfSight(const CallExpr &E) const {
  const FunctionDecl *F = E.getDirectCallee();
  if (!F)
    return E.getCallee()->getType()->isFunctionPointerType();
  if (isFunctionObject(E))
    return true;
  if (F->getBuiltinID() != 0 || Spans.isForeign(*F))
    return false;
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  bool IsOverridden = Method && Method->isVirtual() && !Method->hasAttr<FinalAttr>() &&
                      !Method->getParent()->isEffectivelyFinal();
  return IsOverridden || !F->hasBody();
}

/// It does nothing but to change something that no argument shows.
bool DispatchChanges::mayLeaveKeys(const CallExpr &E) const {
  if (!isOutOfSight(E) || !E.getType()->isVoidType())
    return false;
  const FunctionDecl *F = E.getDirectCallee();
  bool IsNamed = F && !isFunctionObject(E);
  unsigned Given = E.getNumArgs() - isa<CXXOperatorCallExpr>(E);
  return IsNamed ? soundsLikeChange(nameOf(*F)) : Given == 0;
}

bool DispatchChanges::mayBeByCall(const CallExpr &E) {
  if (!isOutOfSight(E))
    return false;
  if (mayLeaveKeys(E) ||
      (E.isPRValue() && !E.getType()->isPointerType() && mayBeGuard(E.getType())))
    return true;
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&E);
  if (Member && Member->getMethodDecl() && !Member->getMethodDecl()->isConst() &&
      isLocalObject(*Member->getImplicitObjectArgument()) && mayBeGuard(Member->getObjectType()))
    return true;
  // What it is given to fill.
  const FunctionDecl *F = E.getDirectCallee();
  return F && llvm::any_of(F->parameters(), [&](const ParmVarDecl *P) {
           QualType T = P->getType();
           bool IsFilled = (T->isLValueReferenceType() || T->isPointerType()) &&
                           !T->getPointeeType().isConstQualified();
           return IsFilled && mayBeGuard(T);
         });
}

BodyDispatch DispatchChanges::ofBody(const Stmt &Body) {
  ChangeFinder Finder(*this, /*LocalsCount=*/true);
  Finder.TraverseStmt(const_cast<Stmt *>(&Body));
  return {Finder.Found, std::move(Finder.Open)};
}
