//===- Collect.cpp - declarations of kernels --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// top level declarations of the main file => functions of the wanted scopes => (ReadDecl.cpp)
//   KernelDecl
//
//===----------------------------------------------------------------------===//
#include "Decls/UnitSpansInternal.h"

#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <map>

using namespace opsig;
using namespace clang;
using llvm::DenseMap;
using llvm::SmallString;
using llvm::StringSet;

std::string opsig::scopeName(const DeclContext &Scope) {
  std::string Name;
  for (const DeclContext *At = &Scope; At && !At->isTranslationUnit(); At = At->getParent()) {
    const auto *Namespace = dyn_cast<NamespaceDecl>(At);
    if (Namespace && (Namespace->isInline() || Namespace->isAnonymousNamespace()))
      continue;
    if (const auto *Named = dyn_cast<NamedDecl>(At))
      Name = Named->getNameAsString() + (Name.empty() ? "" : "::") + Name;
  }
  return Name;
}

namespace {

/// Where the braces of a namespace stand; of `namespace a::b` those of b, which has them.
SourceRange bracesOf(const NamespaceDecl &Namespace) {
  const SourceManager &SM = Namespace.getASTContext().getSourceManager();
  const LangOptions &Options = Namespace.getASTContext().getLangOpts();
  // Attributes and other names may stand between the name and the brace.
  SourceLocation At = Namespace.getLocation();
  while (std::optional<Token> Next = Lexer::findNextToken(At, SM, Options)) {
    if (Next->is(tok::l_brace))
      return {Next->getLocation(), Namespace.getRBraceLoc()};
    if (Next->isOneOf(tok::eof, tok::semi))
      break;
    At = Next->getLocation();
  }
  return {};
}

/// Defines a member of which the class, one that somebody wrote into a file, has not even the name.
bool isUndeclared(const FunctionDecl &F, UnitSpans &Spans) {
  const auto *Class = dyn_cast<CXXRecordDecl>(F.getDeclContext()->getRedeclContext());
  if (!Class || Class->isInvalidDecl() || !F.isOutOfLine() || F.getPreviousDecl() ||
      Spans.isForeign(*Class) || Spans.hasError(Spans.span(Class->getBraceRange())))
    return false;
  return llvm::none_of(Class->lookup(F.getDeclName()), [](const NamedDecl *Member) {
    const auto *Function = dyn_cast<FunctionDecl>(Member);
    return !Function || !Function->isOutOfLine();
  });
}

class Collector {
public:
  Collector(ASTContext &Context, llvm::ArrayRef<std::string> Scopes,
            llvm::ArrayRef<ClangError> Errors, ProjectPlaces &Project, UnitFacts &Unit)
      : Unit(Unit), Spans(Context, Unit, Errors, &Project) {
    for (const std::string &Scope : Scopes)
      Expected.insert(Scope);
  }

  void visit(Decl *D);
  void addRedeclarations();

private:
  void addScope(const DeclContext &Scope, SourceRange Braces);
  void addStaticMembers(const CXXRecordDecl &Record);
  void addConflicting();
  bool isExpected(const DeclContext *Scope) {
    auto [It, New] = ExpectedContexts.try_emplace(Scope->getPrimaryContext());
    if (New)
      It->second = Expected.contains(scopeName(*Scope));
    return It->second;
  }
  bool isReadable(const FunctionDecl *F) const;
  bool isKernelLike(const FunctionDecl *F);
  bool isVisibleDefinition(const FunctionDecl *F);
  void add(const FunctionDecl *F, bool InMainFile);

  UnitFacts &Unit;
  UnitSpans Spans;
  StringSet<> Expected;
  DenseMap<const DeclContext *, bool> ExpectedContexts;
  /// What each of Unit.Kernels was made from.
  std::vector<const FunctionDecl *> Sources;
  DenseMap<const FunctionDecl *, uint32_t> Indices;
};

/// A function with a name of its own and fixed types.
bool Collector::isReadable(const FunctionDecl *F) const {
  return !F->isImplicit() && !F->isOverloadedOperator() && F->getDeclName().isIdentifier() &&
         F->getTemplatedKind() == FunctionDecl::TK_NonTemplate &&
         F->getType()->getAs<FunctionProtoType>() &&
         !isa<CXXConstructorDecl, CXXDestructorDecl, CXXConversionDecl>(F);
}

bool Collector::isKernelLike(const FunctionDecl *F) {
  return isReadable(F) && isExpected(F->getDeclContext()->getRedeclContext());
}

bool Collector::isVisibleDefinition(const FunctionDecl *F) {
  return Unit.Names.Bases[unsigned(CppBase::Tensor)].isRead() && isReadable(F) &&
         F->isThisDeclarationADefinition() && F->getFunctionTypeLoc() && !F->isMain() &&
         F->getFormalLinkage() == Linkage::External && F->getLocation().isFileID() &&
         !Spans.isGarbled(*F);
}

void Collector::add(const FunctionDecl *F, bool InMainFile) {
  if (!F->getFunctionTypeLoc())
    return; // declared through a typedef
  KernelDecl K = readDecl(*F, Spans);
  if (!K.NameAt.isValid())
    return;
  // What the parser made of a broken list is a guess.
  Span List = {K.NameAt.File, K.NameAt.Offset, K.ParamList.end() - K.NameAt.Offset};
  if (K.ParamList.isValid() ? Spans.hasError(List, /*OnlySyntax=*/true) || Spans.maySkip(K.Name)
                            : Spans.isGarbled(*F))
    return;
  K.InMainFile = InMainFile;
  K.Undeclared = isUndeclared(*F, Spans);
  Indices[F] = Unit.Kernels.size();
  Sources.push_back(F);
  Unit.Kernels.push_back(std::move(K));
}

void Collector::visit(Decl *D) {
  if (auto *F = dyn_cast<FunctionDecl>(D)) {
    if (isKernelLike(F))
      add(F, /*InMainFile=*/true);
    else if (isVisibleDefinition(F))
      Unit.Definitions.push_back(readDecl(*F, Spans));
    return;
  }
  auto *Record = dyn_cast<CXXRecordDecl>(D);
  if (Record && !Record->isThisDeclarationADefinition())
    return;
  if (Record && !isExpected(Record)) {
    addStaticMembers(*Record);
    return;
  }
  if (Record)
    addScope(*Record, Record->getBraceRange());
  else if (auto *Namespace = dyn_cast<NamespaceDecl>(D);
           Namespace && !Namespace->isAnonymousNamespace() && isExpected(Namespace))
    addScope(*Namespace, bracesOf(*Namespace));
  if (Record || isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D))
    for (Decl *Member : cast<DeclContext>(D)->decls())
      visit(Member);
}

/// Those of a class beside the wanted ones: it may be meant, under another name.
void Collector::addStaticMembers(const CXXRecordDecl &Record) {
  if (!isExpected(Record.getDeclContext()->getRedeclContext()))
    return;
  for (const CXXMethodDecl *Method : Record.methods())
    if (Method->isStatic() && isVisibleDefinition(Method))
      Unit.Definitions.push_back(readDecl(*Method, Spans));
}

void Collector::addScope(const DeclContext &Scope, SourceRange Braces) {
  if (Braces.isInvalid())
    return;
  Span Open = Spans.span(SourceRange(Braces.getBegin(), Braces.getBegin()));
  Span Close = Spans.span(SourceRange(Braces.getEnd(), Braces.getEnd()));
  if (!Open.isValid() || !Close.isValid() || Open.File != 0 || Close.File != 0)
    return;
  KernelScope Out{scopeName(Scope), {0, Open.end(), Close.Offset - Open.end()}};
  if (const auto *Record = dyn_cast<CXXRecordDecl>(&Scope)) {
    Out.IsClass = true;
    AccessSpecifier Last = Record->isClass() ? AS_private : AS_public;
    for (const Decl *Member : Record->decls())
      if (isa<AccessSpecDecl>(Member))
        Last = Member->getAccess();
    Out.PublicAtEnd = Last == AS_public;
  }
  Unit.Scopes.push_back(std::move(Out));
}

void Collector::addRedeclarations() {
  for (size_t I = 0, E = Sources.size(); I != E; ++I)
    for (const FunctionDecl *Other : Sources[I]->redecls()) {
      if (Indices.contains(Other) || Other->isImplicit())
        continue;
      if (!Spans.isForeign(*Other))
        add(Other, /*InMainFile=*/false);
      else if (!Other->getASTContext().getSourceManager().isInSystemHeader(Other->getLocation()))
        // Often it is generated of the same schemas, and written anew.
        Unit.Kernels[I].ForeignFile = Spans.fileOf(*Other);
    }
  for (size_t I = 0; I < Sources.size(); ++I)
    for (const FunctionDecl *Other : Sources[I]->redecls())
      if (auto It = Indices.find(Other); It != Indices.end() && It->second != I)
        Unit.Kernels[I].Redeclarations.push_back(It->second);
  addConflicting();
}

/// Functions that take the same parameters are the same one, also where Clang says no more than
/// that their return types conflict with those of a third declaration.
void Collector::addConflicting() {
  std::map<std::string, std::vector<uint32_t>> SameParams;
  for (uint32_t I = 0; I < Unit.Kernels.size(); ++I) {
    const KernelDecl &K = Unit.Kernels[I];
    std::string Key = K.qualifiedName() + (K.Internal ? " static" : "");
    bool Known = !K.Member;
    for (const KernelParam &P : K.Params) {
      Known &= P.Canonical.isRead();
      Key += "," + P.Canonical.str();
    }
    if (Known)
      SameParams[Key].push_back(I);
  }
  for (const auto &[Key, Same] : SameParams)
    for (uint32_t I : Same)
      for (uint32_t Other : Same)
        if (I != Other && !llvm::is_contained(Unit.Kernels[I].Redeclarations, Other))
          Unit.Kernels[I].Redeclarations.push_back(Other);
}

} // namespace

void opsig::collectKernels(llvm::ArrayRef<Decl *> TopLevel, ASTContext &Context,
                           llvm::ArrayRef<std::string> Scopes, llvm::ArrayRef<ClangError> Errors,
                           ProjectPlaces &Project, UnitFacts &Unit) {
  Collector TheCollector(Context, Scopes, Errors, Project, Unit);
  for (Decl *D : TopLevel)
    TheCollector.visit(D);
  TheCollector.addRedeclarations();
}
