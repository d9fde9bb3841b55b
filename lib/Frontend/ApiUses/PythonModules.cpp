//===- PythonModules.cpp - functions that pybind11 offers Python ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PYBIND11_MODULE(name, m) { m.def("f", &f, py::arg("n") = 2); } is, after expansion, a function
// pybind11_init_name that takes a module.
//
//===----------------------------------------------------------------------===//
#include "ApiUses/UsesInternal.h"
#include "Registrations/ConstantValues.h"
#include "Registrations/RegistrationInternal.h"

#include "opsig/Frontend/PythonModule.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;

namespace {

bool isOfPybind(StringRef Qualified) { return Qualified.starts_with("pybind11::"); }

/// `call_guard<gil_scoped_release>`: the function runs without Python's lock.
bool isReleaseOfLock(QualType T) {
  const CXXRecordDecl *Record = T.getNonReferenceType()->getAsCXXRecordDecl();
  const auto *Guard = dyn_cast_or_null<ClassTemplateSpecializationDecl>(Record);
  if (!Guard || scopeName(*Guard) != "pybind11::call_guard")
    return false;
  auto IsRelease = [](const TemplateArgument &A) {
    return A.getKind() == TemplateArgument::Type &&
           className(A.getAsType()) == "pybind11::gil_scoped_release";
  };
  return llvm::all_of(Guard->getTemplateArgs().asArray(), [&](const TemplateArgument &A) {
    return A.getKind() == TemplateArgument::Pack ? llvm::all_of(A.pack_elements(), IsRelease)
                                                 : IsRelease(A);
  });
}

class ModuleCollector {
public:
  ModuleCollector(ASTContext &Context, ProjectPlaces &Project, UnitFacts &Unit)
      : Spans(Context, Unit, {}, &Project), Values(Spans), Project(Project), Unit(Unit) {}

  void visit(const Decl *D);

private:
  bool isModule(const FunctionDecl &F) const;
  void module(const FunctionDecl &F);
  bool statement(const Stmt &S, const VarDecl &Variable, PythonModule &Out);
  void function(const CXXMemberCallExpr &Call, Span At, PythonModule &Out);
  bool leavesOut(const PythonModule &Module) const;
  void extra(const Expr *E, BoundFunction &Out);
  std::optional<BoundArgument> argument(const Expr *E);
  void body(const FunctionDecl &F);

  UnitSpans Spans;
  ConstantValues Values;
  ProjectPlaces &Project;
  UnitFacts &Unit;
};

/// The text that an expression is, or is made of.
std::string literalIn(const Expr *E) {
  class Finder : public RecursiveASTVisitor<Finder> {
  public:
    bool VisitStringLiteral(StringLiteral *S) {
      if (S->isOrdinary() || S->isUTF8())
        Found.push_back(S);
      return true;
    }
    std::vector<const StringLiteral *> Found;
  } TheFinder;
  TheFinder.TraverseStmt(const_cast<Expr *>(E));
  return TheFinder.Found.size() == 1 ? TheFinder.Found.front()->getString().str() : "";
}

/// `py::arg("n")` or `py::arg("n") = 2`; none for what says more.
std::optional<BoundArgument> ModuleCollector::argument(const Expr *E) {
  E = underlying(E);
  BoundArgument Out;
  const auto *Assigned = dyn_cast<CXXOperatorCallExpr>(E);
  if (Assigned && Assigned->getOperator() == OO_Equal && Assigned->getNumArgs() == 2) {
    Out.HasDefault = true;
    const Expr *Value = Assigned->getArg(1);
    Out.Default = className(underlying(Value)->getType()) == "pybind11::none"
                      ? "none"
                      : defaultValue(*Value, Spans.context());
    E = underlying(Assigned->getArg(0));
  }
  // `.noconvert()` and `.none(false)` are calls of members, and `_a` is an operator.
  bool Plain = !isa<CallExpr>(E) || isa<UserDefinedLiteral>(E);
  if (!Plain || className(E->getType()) != "pybind11::arg")
    return std::nullopt;
  Out.Name = literalIn(E);
  return Out.Name.empty() ? std::nullopt : std::optional(Out);
}

void ModuleCollector::extra(const Expr *E, BoundFunction &Out) {
  const Expr *Inner = underlying(E);
  if (const auto *Text = dyn_cast<StringLiteral>(Inner); Text && Out.Doc.empty()) {
    Out.Doc = Text->isOrdinary() || Text->isUTF8() ? Text->getString().str() : "";
    return;
  }
  if (isReleaseOfLock(Inner->getType()))
    return;
  if (std::optional<BoundArgument> A = argument(E)) {
    Out.Args.push_back(std::move(*A));
    return;
  }
  if (Out.Other.empty())
    Out.Other = inOneLine(Spans.text(Spans.use(E->getSourceRange())));
}

/// `m.def(...)` and `m.def(...).def(...)`: the calls, in their order.
bool callsOf(const Expr *E, const VarDecl &Variable,
             llvm::SmallVectorImpl<const CXXMemberCallExpr *> &Out) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(E);
  if (!Call || !Call->getMethodDecl() || Call->getMethodDecl()->getNameAsString() != "def" ||
      Call->getNumArgs() < 2)
    return false;
  const Expr *Object = Call->getImplicitObjectArgument()->IgnoreParenImpCasts();
  const auto *Ref = dyn_cast<DeclRefExpr>(Object);
  bool Known = Ref ? Ref->getDecl() == &Variable : callsOf(Object, Variable, Out);
  if (Known)
    Out.push_back(Call);
  return Known;
}

/// `f` of `torch::wrap_pybind_function(f)`, which may release Python's lock and hands on what is
/// thrown, as the dispatcher does; and of `py::overload_cast<int>(&f)`, once it is known which.
const Expr *chosenFunction(const Expr *E) {
  const auto *Call = dyn_cast<CallExpr>(underlying(E));
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  if (!F)
    return E;
  if (StringRef(scopeName(*F)).starts_with("torch::wrap_pybind_function") &&
      Call->getNumArgs() == 1)
    return Call->getArg(0);
  bool IsCast = isa<CXXOperatorCallExpr>(Call) && Call->getNumArgs() >= 2 &&
                StringRef(className(Call->getArg(0)->getType())).contains("overload_cast");
  return IsCast ? Call->getArg(1) : E;
}

void ModuleCollector::function(const CXXMemberCallExpr &Call, Span At, PythonModule &Out) {
  BoundFunction Function;
  Function.At = At;
  if (const auto *Name = dyn_cast<StringLiteral>(underlying(Call.getArg(0))))
    Function.Name = Name->getString().str();
  RegistrationEntry Entry;
  readKernel(chosenFunction(Call.getArg(1)), Entry, Values);
  Function.Kernel = std::move(Entry.Kernel);
  for (const Expr *Argument : llvm::drop_begin(Call.arguments(), 2))
    if (!isa<CXXDefaultArgExpr>(Argument))
      extra(Argument, Function);
  Out.Functions.push_back(std::move(Function));
}

/// Whether the statement binds functions, or is a text about the module, or no more than names.
bool ModuleCollector::statement(const Stmt &S, const VarDecl &Variable, PythonModule &Out) {
  if (const auto *Names = dyn_cast<DeclStmt>(&S))
    return llvm::all_of(Names->decls(), [](const Decl *D) { return isa<UsingDirectiveDecl>(D); });
  const auto *E = dyn_cast<Expr>(&S);
  E = E ? E->IgnoreImplicit() : nullptr;
  if (const auto *Assigned = dyn_cast_or_null<CXXOperatorCallExpr>(E);
      Assigned && Assigned->getOperator() == OO_Equal)
    if (const auto *Doc = dyn_cast<CXXMemberCallExpr>(Assigned->getArg(0)->IgnoreImplicit()))
      return Doc->getMethodDecl() && Doc->getMethodDecl()->getNameAsString() == "doc";
  llvm::SmallVector<const CXXMemberCallExpr *> Calls;
  if (!E || !callsOf(E, Variable, Calls))
    return false;
  Span At = Spans.fixed(E->getSourceRange());
  for (const CXXMemberCallExpr *Call : Calls)
    function(*Call, At, Out);
  return true;
}

/// Functions behind conditions that are false, or of which there are several branches.
bool ModuleCollector::leavesOut(const PythonModule &Module) const {
  llvm::SmallVector<StringRef> Lines;
  StringRef(Spans.text(Module.Body)).split(Lines, '\n');
  bool Conditions = false, Branches = false;
  size_t Written = 0;
  for (StringRef Line : Lines) {
    StringRef Word = Line.ltrim();
    if (Word.consume_front("#")) {
      Conditions = true;
      Branches |= Word.ltrim().starts_with("el");
    }
    Written += Line.split("//").first.count(".def");
  }
  return Conditions && (Branches || Written > Module.Functions.size());
}

bool ModuleCollector::isModule(const FunctionDecl &F) const {
  return F.getIdentifier() && F.getName().starts_with("pybind11_init_") && F.getNumParams() == 1 &&
         F.doesThisDeclarationHaveABody() && F.getLocation().isMacroID() &&
         isOfPybind(className(F.getParamDecl(0)->getType()));
}

void ModuleCollector::module(const FunctionDecl &F) {
  const auto *Body = dyn_cast<CompoundStmt>(F.getBody());
  if (!Body)
    return;
  PythonModule Out;
  SourceLocation Macro = Spans.context().getSourceManager().getExpansionLoc(F.getLocation());
  Out.At = Spans.span(SourceRange(Macro, Macro));
  Out.Variable = F.getParamDecl(0)->getNameAsString();
  Span Open = Spans.span(SourceRange(Body->getLBracLoc(), Body->getLBracLoc()));
  Span Close = Spans.span(SourceRange(Body->getRBracLoc(), Body->getRBracLoc()));
  if (!Out.At.isValid() || !Open.isValid() || !Close.isValid() || Open.File != Close.File ||
      Open.File != Out.At.File)
    return;
  Out.Body = {Open.File, Open.end(), Close.Offset - Open.end()};
  for (const Stmt *S : Body->body())
    if (!statement(*S, *F.getParamDecl(0), Out) && !isa<NullStmt>(S) && !Out.Other.isValid())
      Out.Other = Spans.use(S->getSourceRange());
  if (leavesOut(Out) && !Out.Other.isValid())
    Out.Other = Out.At;
  Unit.Modules.push_back(std::move(Out));
}

/// Uses of pybind11 in a body.
class PybindFinder : public RecursiveASTVisitor<PybindFinder> {
public:
  PybindFinder(UnitSpans &Spans, PythonUse &Out) : Spans(Spans), Out(Out) {}

  bool TraverseDeclStmt(DeclStmt *S) {
    const auto *Var = S->isSingleDecl() ? dyn_cast<VarDecl>(S->getSingleDecl()) : nullptr;
    const auto *Made = Var && Var->getInit() ? dyn_cast<CXXConstructExpr>(Var->getInit()) : nullptr;
    bool Plain = Made && llvm::all_of(Made->arguments(),
                                      [](const Expr *A) { return isa<CXXDefaultArgExpr>(A); });
    if (!Plain || Var->isUsed() || className(Var->getType()) != "pybind11::gil_scoped_release")
      return RecursiveASTVisitor::TraverseDeclStmt(S);
    Out.Releases.push_back(Spans.fixed(S->getSourceRange()));
    if (!Out.Releases.back().isValid())
      note(S->getBeginLoc());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) { return of(*E->getDecl(), E->getLocation()); }
  bool VisitVarDecl(VarDecl *V) { return of(V->getType(), V->getLocation()); }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) { return of(E->getType(), E->getBeginLoc()); }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *E) {
    return !E->getMethodDecl() || of(*E->getMethodDecl(), E->getExprLoc());
  }

private:
  bool of(QualType T, SourceLocation At) {
    if (isOfPybind(className(T)))
      note(At);
    return true;
  }
  bool of(const NamedDecl &D, SourceLocation At) {
    if (isOfPybind(scopeName(*D.getDeclContext()) + "::"))
      note(At);
    return true;
  }
  void note(SourceLocation At) {
    if (!Out.Other.isValid())
      Out.Other = Spans.use(SourceRange(At, At));
  }

  UnitSpans &Spans;
  PythonUse &Out;
};

void ModuleCollector::body(const FunctionDecl &F) {
  PythonUse Out;
  PybindFinder(Spans, Out).TraverseStmt(F.getBody());
  if (Out.Releases.empty() && !Out.Other.isValid())
    return;
  Out.Decl = readDecl(F, Spans);
  Unit.PythonUses.push_back(std::move(Out));
}

void ModuleCollector::visit(const Decl *D) {
  if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D))
    D = Template->getTemplatedDecl();
  if (const auto *F = dyn_cast<FunctionDecl>(D)) {
    if (!F->doesThisDeclarationHaveABody() || !F->getBody())
      return;
    if (isModule(*F))
      module(*F);
    else
      body(*F);
    return;
  }
  if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl, CXXRecordDecl>(D))
    for (const Decl *Member : cast<DeclContext>(D)->decls())
      visit(Member);
}

} // namespace

void opsig::collectPythonModules(llvm::ArrayRef<Decl *> TopLevel, ASTContext &Context,
                                 ProjectPlaces &Project, UnitFacts &Unit) {
  // Nothing of pybind11 was included: there is nothing to look for.
  auto Names = Context.getTranslationUnitDecl()->lookup(&Context.Idents.get("pybind11"));
  if (Names.empty())
    return;
  ModuleCollector Collector(Context, Project, Unit);
  for (const Decl *D : TopLevel)
    Collector.visit(D);
}
