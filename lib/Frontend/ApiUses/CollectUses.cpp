//===- CollectUses.cpp - names, calls and types of an API in a project --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ApiUses/UsesInternal.h"

#include "opsig/Frontend/ApiUse.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace opsig;
using namespace clang;

namespace {

/// "at::Tensor::fill_"; of a member of a base class with \p Object instead.
std::string nameOf(const NamedDecl &D, const CXXRecordDecl *Object = nullptr) {
  std::string Scope = Object ? scopeName(*Object) : scopeName(*D.getDeclContext());
  return (Scope.empty() ? "" : Scope + "::") + D.getNameAsString();
}

/// Such as gpuAtomicAdd. Functions of C are shims.
bool isGlobalOfTorch(const NamedDecl &D, ProjectPlaces &Project) {
  const FunctionDecl *F = D.getAsFunction();
  return F && F->getIdentifier() && !F->isExternC() &&
         F->getDeclContext()->getRedeclContext()->isTranslationUnit() && !Project.contain(D) &&
         !torchHeader(D.getLocation(), D.getASTContext().getSourceManager()).empty();
}

/// What PyTorch declares and nobody else.
bool isOfTorch(const NamedDecl &D, ProjectPlaces &Project) {
  const DeclContext *Scope = D.getDeclContext();
  std::string Top;
  for (; Scope && !Scope->isTranslationUnit(); Scope = Scope->getParent())
    if (const auto *Namespace = dyn_cast<NamespaceDecl>(Scope))
      Top = Namespace->getNameAsString();
  if (const auto *Own = dyn_cast<NamespaceDecl>(&D); Own && Top.empty())
    Top = Own->getNameAsString();
  if (Top.empty())
    return isGlobalOfTorch(D, Project);
  if (Top != "at" && Top != "c10" && Top != "torch" && Top != "caffe2")
    return false;
  return isa<NamespaceDecl>(D) || !Project.contain(D);
}

class UseVisitor : public RecursiveASTVisitor<UseVisitor> {
public:
  UseVisitor(ASTContext &Context, ProjectPlaces &Project, UnitSpans &Spans)
      : Context(Context), Project(Project), Places(Context, Project, Spans) {}

  bool VisitTagTypeLoc(TagTypeLoc T) { return type(T.getDecl(), T); }
  bool VisitTypedefTypeLoc(TypedefTypeLoc T) { return type(T.getTypePtr()->getDecl(), T); }
  bool VisitUsingTypeLoc(UsingTypeLoc T) { return type(T.getTypePtr()->getDecl(), T); }
  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc T);
  bool VisitDeducedTemplateSpecializationTypeLoc(DeducedTemplateSpecializationTypeLoc T);
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &A);
  bool VisitUsingDecl(UsingDecl *D);
  bool VisitUsingDirectiveDecl(UsingDirectiveDecl *D);
  bool VisitCXXRecordDecl(CXXRecordDecl *D);
  bool VisitDeclStmt(DeclStmt *S);
  bool VisitDeclRefExpr(DeclRefExpr *E);
  bool VisitUnresolvedLookupExpr(UnresolvedLookupExpr *E);
  bool VisitCallExpr(CallExpr *E);
  bool VisitCXXConstructExpr(CXXConstructExpr *E);

  SpelledPlaces &places() { return Places; }
  void add(ApiUse Use);
  void add(ApiUse Use, const NamedDecl &D) {
    Use.Header = torchHeader(D.getLocation(), Context.getSourceManager());
    add(std::move(Use));
  }
  std::vector<ApiUse> take();

private:
  bool type(const NamedDecl *D, TypeLoc T);
  void name(ApiUse::Kind Is, const NamedDecl &D, SourceRange Qualified, const Expr *E);
  void method(const CallExpr &E, const NamedDecl &Method, const CXXRecordDecl &Class);
  void function(const CallExpr &E);
  void operatorCall(const CXXOperatorCallExpr &E);
  void emplaced(const CallExpr &E, const MemberExpr &Member);
  void arguments(const CallExpr &E, SourceLocation Next, ApiUse &Use);
  void arguments(ArrayRef<const Expr *> Args, SourceLocation Next, ApiUse &Use);
  ApiArgument argument(const Expr *E, Span At);
  const CXXRecordDecl *classOf(QualType T) const;

  ASTContext &Context;
  ProjectPlaces &Project;
  SpelledPlaces Places;
  std::vector<ApiUse> Uses;
  /// By kind, file, offset, length: the same spelling comes as often as it is expanded.
  std::map<std::tuple<int, uint32_t, uint32_t, uint32_t>, size_t> Known;
  /// Names of methods in bodies of macros, where an expansion makes something else of the tokens.
  std::set<std::pair<uint32_t, uint32_t>> Ambiguous;
  /// Names that belong to a call that has been seen.
  std::set<const Stmt *> Called;
};

void UseVisitor::add(ApiUse Use) {
  if (!Use.At.isValid())
    return;
  auto [It, New] =
      Known.try_emplace({Use.Is, Use.At.File, Use.At.Offset, Use.At.Length}, Uses.size());
  if (New) {
    Uses.push_back(std::move(Use));
    return;
  }
  // Of several expansions, all have to only read.
  ApiUse &Old = Uses[It->second];
  Old.OnlyRead &= Use.OnlyRead;
  Old.Count = std::max(Old.Count, Use.Count);
}

std::vector<ApiUse> UseVisitor::take() {
  llvm::erase_if(Uses, [&](const ApiUse &Use) {
    return Use.Is == ApiUse::Method && Ambiguous.count({Use.NameAt.File, Use.NameAt.Offset});
  });
  llvm::stable_sort(Uses, [](const ApiUse &L, const ApiUse &R) {
    return std::tuple(L.At.File, L.At.Offset, R.At.Length) <
           std::tuple(R.At.File, R.At.Offset, L.At.Length);
  });
  return std::move(Uses);
}

//===- Types -----------------------------------------------------------------===//

bool UseVisitor::type(const NamedDecl *D, TypeLoc T) {
  if (!D || !isOfTorch(*D, Project))
    return true;
  ApiUse Use;
  Use.Is = ApiUse::Type;
  Use.Name = nameOf(*D);
  SourceLocation Begin = T.getBeginLoc();
  Use.At = Use.NameAt = Places.span(SourceRange(Begin, T.getEndLoc()));
  // What Clang makes up for the type of an expression has the place of that.
  if (!Places.text(Use.NameAt).ends_with(D->getName()))
    return true;
  Use.InMacro = Places.isInMacroBody(T.getEndLoc());
  add(std::move(Use), *D);
  return true;
}

bool UseVisitor::VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc T) {
  const TemplateDecl *D = T.getTypePtr()->getTemplateName().getAsTemplateDecl();
  const NamedDecl *Found = D;
  if (const auto *Shadow = T.getTypePtr()->getTemplateName().getAsUsingShadowDecl())
    Found = Shadow;
  if (!Found || !isOfTorch(*Found, Project))
    return true;
  ApiUse Use;
  Use.Is = ApiUse::Type;
  Use.Name = nameOf(*Found);
  Use.At = Places.span(T.getSourceRange());
  Use.NameAt = Places.span(SourceRange(T.getBeginLoc(), T.getTemplateNameLoc()));
  Use.TemplateArgs = Places.span(SourceRange(T.getLAngleLoc(), T.getRAngleLoc()));
  Use.TemplateText = Places.text(Use.TemplateArgs).str();
  Use.InMacro = Places.isInMacroBody(T.getTemplateNameLoc());
  if (Use.NameAt.isValid())
    add(std::move(Use), *Found);
  return true;
}

bool UseVisitor::VisitDeducedTemplateSpecializationTypeLoc(DeducedTemplateSpecializationTypeLoc T) {
  const TemplateDecl *D = T.getTypePtr()->getTemplateName().getAsTemplateDecl();
  return type(D, T);
}

/// A template that is given to another one is named, and nothing is made of it.
bool UseVisitor::TraverseTemplateArgumentLoc(const TemplateArgumentLoc &A) {
  if (A.getArgument().getKind() == TemplateArgument::Template) {
    const NamedDecl *D = A.getArgument().getAsTemplate().getAsTemplateDecl();
    if (const auto *Shadow = A.getArgument().getAsTemplate().getAsUsingShadowDecl())
      D = Shadow;
    SourceLocation Name = A.getTemplateNameLoc();
    NestedNameSpecifierLoc Scope = A.getTemplateQualifierLoc();
    if (D && isOfTorch(*D, Project)) {
      ApiUse Use;
      Use.Is = ApiUse::Type;
      Use.Name = nameOf(*D);
      Use.At = Use.NameAt = Places.span(SourceRange(Scope ? Scope.getBeginLoc() : Name, Name));
      Use.InMacro = Places.isInMacroBody(Name);
      add(std::move(Use), *D);
    }
  }
  return RecursiveASTVisitor::TraverseTemplateArgumentLoc(A);
}

bool UseVisitor::VisitUsingDecl(UsingDecl *D) {
  for (const UsingShadowDecl *Shadow : D->shadows())
    if (isOfTorch(*Shadow->getTargetDecl(), Project)) {
      ApiUse Use;
      Use.Is = ApiUse::Import;
      Use.Name = nameOf(*Shadow->getTargetDecl());
      Use.At = Places.span(D->getSourceRange());
      Use.NameAt = Places.span(
          SourceRange(D->getQualifierLoc().getBeginLoc(), D->getNameInfo().getEndLoc()));
      add(std::move(Use), *Shadow->getTargetDecl());
      break;
    }
  return true;
}

bool UseVisitor::VisitUsingDirectiveDecl(UsingDirectiveDecl *D) {
  const NamedDecl *Named = D->getNominatedNamespaceAsWritten();
  if (!Named || !isOfTorch(*D->getNominatedNamespace(), Project))
    return true;
  ApiUse Use;
  Use.Is = ApiUse::Directive;
  Use.Name = nameOf(*D->getNominatedNamespace());
  Use.At = Places.span(D->getSourceRange());
  Use.NameAt = Places.span(
      SourceRange(D->getQualifierLoc() ? D->getQualifierLoc().getBeginLoc() : D->getIdentLocation(),
                  D->getIdentLocation()));
  add(std::move(Use));
  return true;
}

bool UseVisitor::VisitCXXRecordDecl(CXXRecordDecl *D) {
  if (!D->isThisDeclarationADefinition())
    return true;
  for (const CXXBaseSpecifier &Base : D->bases()) {
    const NamedDecl *Class = Base.getType()->getAsCXXRecordDecl();
    if (const auto *Special = Base.getType()->getAs<TemplateSpecializationType>())
      Class = Special->getTemplateName().getAsTemplateDecl();
    if (!Class || !isOfTorch(*Class, Project))
      continue;
    ApiUse Use;
    Use.Is = ApiUse::Base;
    Use.Name = nameOf(*Class);
    Use.At = Places.span(Base.getSourceRange());
    add(std::move(Use), *Class);
  }
  return true;
}

//===- Variables ---------------------------------------------------------------===//

bool UseVisitor::VisitDeclStmt(DeclStmt *S) {
  const auto *Var = S->isSingleDecl() ? dyn_cast<VarDecl>(S->getSingleDecl()) : nullptr;
  if (!Var || !isTensorOptions(Var->getType()))
    return true;
  ApiUse Use;
  Use.Is = ApiUse::Variable;
  Use.Name = "at::TensorOptions";
  Use.At = Places.span(S->getSourceRange());
  Use.NameAt = Places.span(Var->getSourceRange());
  if (const Expr *Init = Var->getInit())
    Use.Options = readOptions(*Init, S->getBeginLoc(), Places);
  class Counter : public RecursiveASTVisitor<Counter> {
  public:
    explicit Counter(const VarDecl *Var) : Var(Var) {}
    bool VisitDeclRefExpr(DeclRefExpr *E) {
      Count += E->getDecl() == Var;
      return true;
    }
    const VarDecl *Var;
    unsigned Count = 0;
  } Uses(Var);
  if (const auto *F = dyn_cast<FunctionDecl>(Var->getDeclContext()); F && F->getBody())
    Uses.TraverseStmt(F->getBody());
  Use.Count = Uses.Count;
  add(std::move(Use));
  return true;
}

//===- Names -------------------------------------------------------------------===//

void UseVisitor::name(ApiUse::Kind Is, const NamedDecl &D, SourceRange Qualified, const Expr *E) {
  ApiUse Use;
  Use.Is = Is;
  Use.Name = nameOf(D);
  Use.At = Use.NameAt = Places.span(Qualified);
  Use.InMacro = Places.isInMacroBody(Qualified.getEnd());
  add(std::move(Use), D);
}

bool UseVisitor::VisitDeclRefExpr(DeclRefExpr *E) {
  const NamedDecl *Found = E->getFoundDecl();
  if (Called.count(E) || !isOfTorch(*Found, Project))
    return true;
  const ValueDecl *D = E->getDecl();
  // Whoever names the enumeration names them.
  if (isa<EnumConstantDecl>(D) && E->hasQualifier() &&
      E->getQualifierLoc().getNestedNameSpecifier().getKind() == NestedNameSpecifier::Kind::Type)
    return true;
  SourceRange Range(E->hasQualifier() ? E->getQualifierLoc().getBeginLoc() : E->getLocation(),
                    E->getLocation());
  name(isa<FunctionDecl>(D) ? ApiUse::Function : ApiUse::Constant, *Found, Range, E);
  return true;
}

bool UseVisitor::VisitUnresolvedLookupExpr(UnresolvedLookupExpr *E) {
  if (Called.count(E) || E->getNumDecls() == 0)
    return true;
  const NamedDecl *First = (*E->decls_begin())->getUnderlyingDecl();
  if (!isOfTorch(*First, Project) ||
      First->getDeclName().getNameKind() == DeclarationName::CXXOperatorName)
    return true;
  SourceRange Range(E->getQualifierLoc() ? E->getQualifierLoc().getBeginLoc() : E->getNameLoc(),
                    E->getNameLoc());
  name(ApiUse::Function, *First, Range, E);
  return true;
}

//===- Calls -------------------------------------------------------------------===//

const CXXRecordDecl *UseVisitor::classOf(QualType T) const {
  if (T.isNull())
    return nullptr;
  T = T.getNonReferenceType();
  if (T->isPointerType())
    T = T->getPointeeType();
  return T->getAsCXXRecordDecl();
}

ApiArgument UseVisitor::argument(const Expr *E, Span At) {
  // Not the optional that a device is turned into.
  const Expr *Written = E->IgnoreUnlessSpelledInSource();
  QualType T = Written->getType();
  // A list in parentheses has none before a template is instantiated.
  if (T.isNull())
    return {At, "", false, false};
  return {At, readType(T.getNonReferenceType().getUnqualifiedType(), Context).str(),
          T.isConstQualified(), Written->isLValue()};
}

void UseVisitor::arguments(ArrayRef<const Expr *> Args, SourceLocation Next, ApiUse &Use) {
  std::vector<const Expr *> Given;
  for (const Expr *A : Args)
    if (!isa<CXXDefaultArgExpr>(A))
      Given.push_back(A);
  std::vector<Span> Parts = Places.split(Use.ArgList);
  for (size_t I = 0; I < Given.size(); ++I) {
    Span At = Parts.size() == Given.size() ? Parts[I]
                                           : Places.spanBeside(Next, Given[I]->getSourceRange());
    Use.Args.push_back(argument(Given[I], At));
    if (isTensorOptions(Given[I]->getType()))
      Use.Options = readOptions(*Given[I], Next, Places);
  }
}

void UseVisitor::arguments(const CallExpr &E, SourceLocation Next, ApiUse &Use) {
  SourceLocation Close = E.getRParenLoc();
  Span Whole = Use.At, End = Places.span(SourceRange(Close, Close));
  if (!End.isValid() || End.File != Whole.File || End.end() != Whole.end())
    return;
  // The name may be followed by template arguments.
  uint32_t From = Use.TemplateArgs.isValid() ? Use.TemplateArgs.end() : Use.NameAt.end();
  llvm::StringRef Between = Places.text({Whole.File, From, Whole.end() - From});
  size_t Open = Between.find('(');
  if (Open == llvm::StringRef::npos)
    return;
  uint32_t Begin = From + Open + 1;
  Use.ArgList = {Whole.File, Begin, End.Offset - Begin};
  arguments(llvm::ArrayRef(E.getArgs(), E.getNumArgs()), Next, Use);
}

/// The types of the function that is called, as declared.
std::vector<std::string> parametersOf(const CallExpr &E) {
  std::vector<std::string> Out;
  if (const FunctionDecl *F = E.getDirectCallee())
    for (const ParmVarDecl *P : F->parameters())
      Out.push_back(P->getType().getAsString(F->getASTContext().getPrintingPolicy()));
  return Out;
}

void UseVisitor::method(const CallExpr &E, const NamedDecl &Method, const CXXRecordDecl &Class) {
  const Expr *Callee = E.getCallee()->IgnoreParens();
  const Expr *Base = nullptr;
  SourceRange TemplateArgs;
  SourceLocation NameLoc;
  ApiUse Use;
  if (const auto *Member = dyn_cast<MemberExpr>(Callee)) {
    Base = Member->isImplicitAccess() ? nullptr : Member->getBase();
    NameLoc = Member->getMemberLoc();
    Use.Arrow = Member->isArrow();
    if (Member->hasExplicitTemplateArgs())
      TemplateArgs = SourceRange(Member->getLAngleLoc(), Member->getRAngleLoc());
  } else if (const auto *Member = dyn_cast<UnresolvedMemberExpr>(Callee)) {
    Base = Member->isImplicitAccess() ? nullptr : Member->getBase();
    NameLoc = Member->getMemberLoc();
    Use.Arrow = Member->isArrow();
    if (Member->hasExplicitTemplateArgs())
      TemplateArgs = SourceRange(Member->getLAngleLoc(), Member->getRAngleLoc());
  }
  if (!Base)
    return;
  Use.Is = ApiUse::Method;
  Use.Name = nameOf(Method, &Class);
  Use.At = Places.spanBeside(NameLoc, E.getSourceRange());
  Use.NameAt = Places.span(SourceRange(NameLoc, NameLoc));
  Use.TemplateArgs = Places.span(TemplateArgs);
  Use.TemplateText = Places.text(Use.TemplateArgs).str();
  const Expr *Object = Base->IgnoreImplicit();
  // `optional->f()`.
  if (const auto *Arrow = dyn_cast<CXXOperatorCallExpr>(Object);
      Arrow && Arrow->getOperator() == OO_Arrow)
    Object = Arrow->getArg(0)->IgnoreImplicit();
  Use.Object = Places.spanBeside(NameLoc, Object->getSourceRange());
  if (Object->getType().isNull())
    return;
  QualType T = Object->getType().getNonReferenceType();
  Use.ObjectType = readType(T.getUnqualifiedType(), Context).str();
  Use.ObjectConst =
      T.isConstQualified() || (T->isPointerType() && T->getPointeeType().isConstQualified());
  Use.ObjectLvalue = Object->isLValue();
  Use.InMacro = Places.isInMacroBody(NameLoc);
  // `x.dim()` of a macro that is given a + b.
  if (Use.InMacro && !Use.Object.isValid())
    Ambiguous.insert({Use.NameAt.File, Use.NameAt.Offset});
  if (!Use.Object.isValid() || !Use.NameAt.isValid())
    return;
  arguments(E, NameLoc, Use);
  Use.Params = parametersOf(E);
  Use.OnlyRead =
      E.getType()->isPointerType() || E.isTypeDependent() ? isOnlyRead(E, Context) : false;
  add(std::move(Use), Method);
}

void UseVisitor::function(const CallExpr &E) {
  const Expr *Callee = E.getCallee()->IgnoreParenImpCasts();
  const NamedDecl *D = nullptr;
  SourceRange Name, TemplateArgs;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Callee)) {
    D = Ref->getFoundDecl();
    if (!isa<FunctionDecl>(Ref->getDecl()))
      return;
    Name =
        SourceRange(Ref->hasQualifier() ? Ref->getQualifierLoc().getBeginLoc() : Ref->getLocation(),
                    Ref->getLocation());
    if (Ref->hasExplicitTemplateArgs())
      TemplateArgs = SourceRange(Ref->getLAngleLoc(), Ref->getRAngleLoc());
  } else if (const auto *Lookup = dyn_cast<UnresolvedLookupExpr>(Callee)) {
    if (Lookup->getNumDecls() == 0)
      return;
    D = (*Lookup->decls_begin())->getUnderlyingDecl();
    Name = SourceRange(Lookup->getQualifierLoc() ? Lookup->getQualifierLoc().getBeginLoc()
                                                 : Lookup->getNameLoc(),
                       Lookup->getNameLoc());
    if (Lookup->hasExplicitTemplateArgs())
      TemplateArgs = SourceRange(Lookup->getLAngleLoc(), Lookup->getRAngleLoc());
  }
  if (!D || !isOfTorch(*D, Project))
    return;
  Called.insert(Callee);
  ApiUse Use;
  Use.Is = ApiUse::Function;
  Use.Name = nameOf(*D);
  Use.At = Places.spanBeside(Name.getEnd(), E.getSourceRange());
  Use.NameAt = Places.span(Name);
  Use.TemplateArgs = Places.span(TemplateArgs);
  Use.TemplateText = Places.text(Use.TemplateArgs).str();
  Use.InMacro = Places.isInMacroBody(Name.getEnd());
  if (!Use.NameAt.isValid())
    return;
  arguments(E, Name.getEnd(), Use);
  Use.Params = parametersOf(E);
  add(std::move(Use), *D);
}

void UseVisitor::operatorCall(const CXXOperatorCallExpr &E) {
  Called.insert(E.getCallee()->IgnoreParenImpCasts());
  const FunctionDecl *F = E.getDirectCallee();
  if (!F || !isOfTorch(*F, Project) || E.getOperator() == OO_Arrow)
    return;
  ApiUse Use;
  Use.Is = ApiUse::Operator;
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  Use.Name = Method ? nameOf(*F, classOf(E.getArg(0)->getType())) : nameOf(*F);
  SourceLocation At = E.getOperatorLoc();
  Use.At = Places.spanBeside(At, E.getSourceRange());
  for (const Expr *A : E.arguments())
    Use.Args.push_back(argument(A, Places.spanBeside(At, A->getSourceRange())));
  Use.NameAt = Places.span(SourceRange(At, At));
  Use.InMacro = Places.isInMacroBody(At);
  add(std::move(Use), *F);
}

/// `guard.emplace(x.device())` of an optional makes what that holds.
void UseVisitor::emplaced(const CallExpr &E, const MemberExpr &Member) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Member.getMemberDecl());
  if (!Method || !Method->getIdentifier() || Method->getName() != "emplace")
    return;
  const auto *Holder = dyn_cast<ClassTemplateSpecializationDecl>(Method->getParent());
  if (!Holder || Holder->getName() != "optional" || Holder->getTemplateArgs().size() != 1)
    return;
  const CXXRecordDecl *Held = classOf(Holder->getTemplateArgs()[0].getAsType());
  if (!Held || !isOfTorch(*Held, Project))
    return;
  ApiUse Use;
  Use.Is = ApiUse::Construct;
  Use.Name = nameOf(*Held);
  SourceLocation NameLoc = Member.getMemberLoc();
  Use.At = Places.spanBeside(NameLoc, E.getSourceRange());
  Use.NameAt = Places.span(SourceRange(NameLoc, NameLoc));
  Use.InMacro = Places.isInMacroBody(NameLoc);
  if (!Use.At.isValid() || !Use.NameAt.isValid())
    return;
  arguments(E, NameLoc, Use);
  add(std::move(Use), *Held);
}

bool UseVisitor::VisitCallExpr(CallExpr *E) {
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
    operatorCall(*Operator);
    return true;
  }
  const Expr *Callee = E->getCallee()->IgnoreParens();
  if (const auto *Member = dyn_cast<MemberExpr>(Callee)) {
    const auto *Method = dyn_cast<CXXMethodDecl>(Member->getMemberDecl());
    const CXXRecordDecl *Class = classOf(Member->getBase()->IgnoreParenImpCasts()->getType());
    if (Method && isOfTorch(*Method, Project))
      method(*E, *Method, Class && isOfTorch(*Class, Project) ? *Class : *Method->getParent());
    else
      emplaced(*E, *Member);
  } else if (const auto *Member = dyn_cast<UnresolvedMemberExpr>(Callee)) {
    const CXXRecordDecl *Class = classOf(Member->getBaseType());
    if (Class && Member->getNumDecls() && isOfTorch(*Class, Project))
      method(*E, *(*Member->decls_begin())->getUnderlyingDecl(), *Class);
  } else {
    function(*E);
  }
  return true;
}

bool UseVisitor::VisitCXXConstructExpr(CXXConstructExpr *E) {
  const CXXRecordDecl *Class = E->getConstructor()->getParent();
  SourceRange Brackets = E->getParenOrBraceRange();
  if (Brackets.isInvalid() || !isOfTorch(*Class, Project))
    return true;
  ApiUse Use;
  Use.Is = ApiUse::Construct;
  Use.Name = nameOf(*Class);
  Use.At = Places.span(Brackets);
  Use.NameAt = Use.At;
  Use.ArgList = Places.between(Brackets.getBegin(), Brackets.getEnd());
  if (Use.ArgList.isValid())
    arguments(llvm::ArrayRef(E->getArgs(), E->getNumArgs()), Brackets.getBegin(), Use);
  add(std::move(Use), *Class);
  return true;
}

/// Whether lines that were not read mention what would have been a use.
bool mentionsTorch(StringRef Text) {
  for (StringRef Mark : {"at::", "c10::", "torch::", "TORCH_", "AT_", "C10_", "<ATen/", "<c10/",
                         "<torch/", "<TH/", "THC", "THArgCheck"})
    for (size_t At = Text.find(Mark); At != StringRef::npos; At = Text.find(Mark, At + 1)) {
      char Before = At ? Text[At - 1] : ' ';
      StringRef Behind = Text.substr(At + Mark.size());
      bool Stable = Behind.starts_with("stable::") || Behind.starts_with("headeronly::");
      if (!isAlphanumeric(Before) && Before != '_' && Before != ':' && !Stable)
        return true;
    }
  return false;
}

void addMacros(const MacroUses &Macros, UseVisitor &Visitor) {
  SpelledPlaces &Places = Visitor.places();
  for (const MacroUses::Inclusion &I : Macros.Inclusions) {
    ApiUse Use;
    Use.Is = ApiUse::Include;
    Use.Name = I.Name;
    Use.NameAt = Places.span(SourceRange(I.Written.getBegin(), I.Written.getBegin()));
    Use.At = Places.span(SourceRange(I.At.getBegin(), I.Written.getBegin()));
    // What stands between the brackets is no token of its own.
    Use.NameAt.Length += I.Name.size() + 1;
    Use.At.Length += I.Name.size() + 1;
    Visitor.add(std::move(Use));
  }
  for (const MacroUses::Expansion &M : Macros.Expansions) {
    ApiUse Use;
    Use.Is = ApiUse::Macro;
    Use.Name = M.Name;
    Use.Header = M.Header;
    Use.At = Use.NameAt = Places.span(SourceRange(M.At, M.At));
    Use.InMacro = M.InMacro;
    Use.ArgList = Places.argumentsOf(M.At);
    if (Use.ArgList.isValid()) {
      Use.At.Length = Use.ArgList.end() + 1 - Use.At.Offset;
      for (Span Part : Places.split(Use.ArgList))
        Use.Args.push_back({Part, "", false, false});
    }
    Visitor.add(std::move(Use));
  }
  auto AddUnread = [&](StringRef Macro, SourceRange Range) {
    ApiUse Use;
    Use.Is = ApiUse::Unread;
    Use.Name = Macro.str();
    Use.At = Use.NameAt = Places.span(Range);
    if (Use.At.isValid() && mentionsTorch(Places.text(Use.At)))
      Visitor.add(std::move(Use));
  };
  for (SourceRange Range : Macros.Skipped)
    AddUnread("", Range);
  for (const auto &[Info, Macro] : Macros.Defined)
    if (!Macro.Expanded)
      AddUnread(Macro.Name, Macro.At);
}

} // namespace

void opsig::collectUses(llvm::ArrayRef<Decl *> TopLevel, ASTContext &Context,
                        const MacroUses &Macros, ProjectPlaces &Project, UnitFacts &Unit) {
  UnitSpans Spans(Context, Unit, {}, &Project);
  Context.setTraversalScope({TopLevel.begin(), TopLevel.end()});
  UseVisitor Visitor(Context, Project, Spans);
  for (Decl *D : TopLevel)
    Visitor.TraverseDecl(D);
  addMacros(Macros, Visitor);
  Unit.Uses = Visitor.take();
}
