//===- SizeUses.cpp - Sizes and elements that a body takes as numbers -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors that compilers trace have symbolic sizes and no elements. Methods that give sizes as
// numbers have a twin for those ("sym_sizes"), and so have operators that take them
// ("empty_symint"). What has none in the headers that were read is left alone.
//
//===----------------------------------------------------------------------===//
#include "Bodies/FlowInternal.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;

namespace {

bool hasMember(const DeclContext &In, const llvm::Twine &Name) {
  return !In.lookup(&In.getParentASTContext().Idents.get(Name.str())).empty();
}

/// A method of at::Tensor or its base.
bool isTensorMethod(const CXXMethodDecl *M) {
  return M && llvm::is_contained({"Tensor", "TensorBase"}, M->getParent()->getName()) &&
         M->getDeclName().isIdentifier();
}

/// What Clang could not understand may have no type.
bool isTensor(QualType T) {
  if (T.isNull())
    return false;
  const CXXRecordDecl *Record = T.getNonReferenceType()->getAsCXXRecordDecl();
  return Record && llvm::is_contained({"Tensor", "TensorBase"}, Record->getName());
}

/// A number, or a list of numbers, that may be a size.
bool mayBeSize(QualType T) {
  if (T.isNull())
    return false;
  T = T.getNonReferenceType();
  if (T->isIntegerType())
    return !T->isBooleanType() && !T->isEnumeralType();
  const CXXRecordDecl *Record = T->getAsCXXRecordDecl();
  return Record && Record->getDeclName().isIdentifier() &&
         llvm::is_contained({"ArrayRef", "vector", "SmallVector"}, Record->getName());
}

class SizeReader : public RecursiveASTVisitor<SizeReader> {
public:
  SizeReader(const FunctionDecl &F, UnitSpans &Spans, FlowTypes &Types,
             std::vector<FlowNumber> &Out)
      : F(F), Spans(Spans), Types(Types), Out(Out) {}

  bool VisitVarDecl(const VarDecl *D) {
    const Expr *Init = D->getInit();
    if (!Init || isa<ParmVarDecl>(D))
      return true;
    if (isTensor(D->getType())) {
      if (std::optional<unsigned> Root = tensorRoot(Init))
        Tensors[D] = *Root;
    } else if (std::optional<unsigned> Root = sizeRoot(*Init); Root && mayBeSize(D->getType())) {
      Sizes[D] = *Root;
      const TypeSourceInfo *Written = D->getTypeSourceInfo();
      if (Written && !Written->getType()->getContainedAutoType())
        add(FlowNumber::SizeHolder, *Root,
            Written->getTypeLoc().getUnqualifiedLoc().getSourceRange());
    }
    return true;
  }
  bool VisitCXXMemberCallExpr(const CXXMemberCallExpr *E) {
    if (std::optional<unsigned> Root = readsSize(*E))
      add(FlowNumber::Size, *Root, nameOf(*E));
    else if (std::optional<unsigned> Root = readsElement(*E))
      add(FlowNumber::Element, *Root, nameOf(*E));
    return true;
  }
  bool VisitCallExpr(const CallExpr *E) {
    const FunctionDecl *Callee = E->getDirectCallee();
    if (!Callee || !Callee->getDeclName().isIdentifier() || isa<CXXOperatorCallExpr>(E))
      return true;
    const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
    const auto *Namespace = dyn_cast<NamespaceDecl>(Callee->getDeclContext());
    bool IsOperator = Method
                          ? isTensorMethod(Method)
                          : Namespace && llvm::is_contained({"at", "torch"}, Namespace->getName());
    if (!IsOperator || !hasMember(*Callee->getDeclContext(), Callee->getName() + "_symint"))
      return true;
    for (auto [Arg, Param] : llvm::zip(E->arguments(), Callee->parameters()))
      if (mayBeSize(Param->getType()))
        if (std::optional<unsigned> Root = sizeRoot(*Arg)) {
          add(FlowNumber::SizeUser, *Root, nameOf(*E));
          break;
        }
    return true;
  }

private:
  static SourceRange nameOf(const CallExpr &E) {
    const Expr *Callee = E.getCallee()->IgnoreParenImpCasts();
    SourceLocation At = Callee->getBeginLoc();
    if (const auto *Member = dyn_cast<MemberExpr>(Callee))
      At = Member->getMemberLoc();
    else if (const auto *Ref = dyn_cast<DeclRefExpr>(Callee))
      At = Ref->getLocation();
    return {At, At};
  }

  /// The parameter that a tensor is, or is made of by its own methods.
  std::optional<unsigned> tensorRoot(const Expr *E) const {
    E = E->IgnoreUnlessSpelledInSource();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      const auto *P = dyn_cast<ParmVarDecl>(Ref->getDecl());
      if (P && P->getDeclContext() == &F && Types.isTensorLike(P->getType()))
        return P->getFunctionScopeIndex();
      auto Known = Tensors.find(Ref->getDecl());
      return Known == Tensors.end() ? std::nullopt : std::optional(Known->second);
    }
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E)) // of lists and optionals
      return llvm::is_contained({OO_Star, OO_Arrow, OO_Subscript}, Operator->getOperator())
                 ? tensorRoot(Operator->getArg(0))
                 : std::nullopt;
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
      const CXXMethodDecl *M = Call->getMethodDecl();
      bool IsValue = M && M->getDeclName().isIdentifier() && M->getName() == "value";
      if ((isTensorMethod(M) && isTensor(Call->getType())) || IsValue)
        return tensorRoot(Call->getImplicitObjectArgument());
    }
    return std::nullopt;
  }

  std::optional<unsigned> readsSize(const CXXMemberCallExpr &E) const {
    const CXXMethodDecl *M = E.getMethodDecl();
    if (!isTensorMethod(M) ||
        !llvm::is_contained({"size", "sizes", "stride", "strides", "numel", "storage_offset"},
                            M->getName()) ||
        !hasMember(*M->getParent(), "sym_" + M->getName()))
      return std::nullopt;
    return tensorRoot(E.getImplicitObjectArgument());
  }
  std::optional<unsigned> readsElement(const CXXMemberCallExpr &E) const {
    const CXXMethodDecl *M = E.getMethodDecl();
    if (!isTensorMethod(M) || !llvm::is_contained({"item", "is_nonzero"}, M->getName()))
      return std::nullopt;
    return tensorRoot(E.getImplicitObjectArgument());
  }

  /// The parameter whose size is in an expression.
  std::optional<unsigned> sizeRoot(const Stmt &S) const {
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(&S))
      if (std::optional<unsigned> Root = readsSize(*Call))
        return Root;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S)) {
      auto Known = Sizes.find(Ref->getDecl());
      return Known == Sizes.end() ? std::nullopt : std::optional(Known->second);
    }
    if (isa<LambdaExpr>(S))
      return std::nullopt;
    if (const auto *E = dyn_cast<Expr>(&S); E && isTensor(E->getType()))
      return std::nullopt; // what is made of a size is none
    for (const Stmt *Child : S.children())
      if (Child)
        if (std::optional<unsigned> Root = sizeRoot(*Child))
          return Root;
    return std::nullopt;
  }

  void add(FlowNumber::Kind Is, unsigned Param, SourceRange Range) {
    Span At = Spans.span(Range);
    FlowNumber New{Param, Is, At.isValid() ? At : Spans.use(Range)};
    if (New.At.isValid())
      Out.push_back(New);
  }

  const FunctionDecl &F;
  UnitSpans &Spans;
  FlowTypes &Types;
  std::vector<FlowNumber> &Out;
  llvm::DenseMap<const ValueDecl *, unsigned> Tensors, Sizes;
};

} // namespace

std::vector<FlowNumber> opsig::readSizeUses(const FunctionDecl &F, const Stmt &Body,
                                            UnitSpans &Spans, FlowTypes &Types) {
  std::vector<FlowNumber> Out;
  SizeReader(F, Spans, Types, Out).TraverseStmt(const_cast<Stmt *>(&Body));
  return Out;
}
