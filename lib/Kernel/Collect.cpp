//===- Collect.cpp - declarations of kernels --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// top level declarations of the main file => functions of the wanted scopes => KernelDecl
//
//===----------------------------------------------------------------------===//
#include "UnitSpansInternal.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/TypeLoc.h"
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
bool isUndeclared(const FunctionDecl &F) {
  const auto *Class = dyn_cast<CXXRecordDecl>(F.getDeclContext()->getRedeclContext());
  if (!Class || !F.isOutOfLine() || F.getPreviousDecl() ||
      F.getASTContext().getSourceManager().isInSystemHeader(Class->getLocation()))
    return false;
  return llvm::none_of(Class->lookup(F.getDeclName()), [](const NamedDecl *Member) {
    const auto *Function = dyn_cast<FunctionDecl>(Member);
    return !Function || !Function->isOutOfLine();
  });
}

class Collector {
public:
  Collector(ASTContext &Context, llvm::ArrayRef<std::string> Scopes,
            llvm::ArrayRef<ClangError> Errors, TranslationUnit &Unit)
      : Context(Context), SM(Context.getSourceManager()), Errors(Errors), Unit(Unit),
        Spans(Context, Unit) {
    for (const std::string &Scope : Scopes)
      Wanted.insert(Scope);
  }

  void visit(Decl *D);
  void addRedeclarations();

private:
  void addScope(const DeclContext &Scope, SourceRange Braces);
  void addConflicting();
  bool isWanted(const DeclContext *Scope) {
    auto [It, New] = WantedContexts.try_emplace(Scope->getPrimaryContext());
    if (New)
      It->second = Wanted.contains(scopeName(*Scope));
    return It->second;
  }
  bool isKernelLike(const FunctionDecl *F);
  void add(const FunctionDecl *F, bool InMainFile);

  Span span(SourceRange Range) { return Spans.span(Range); }
  StringRef text(Span S) const { return Spans.text(S); }
  Span defaultSpan(const ParmVarDecl &P);
  KernelParam param(const FunctionDecl *F, unsigned Index, bool &Editable);
  void returnType(const FunctionDecl *F, KernelDecl &K);
  bool hasError(Span S, bool OnlySyntax = false) const;

  ASTContext &Context;
  const SourceManager &SM;
  llvm::ArrayRef<ClangError> Errors;
  TranslationUnit &Unit;
  UnitSpans Spans;
  StringSet<> Wanted;
  DenseMap<const DeclContext *, bool> WantedContexts;
  /// What each of Unit.Kernels was made from.
  std::vector<const FunctionDecl *> Sources;
  DenseMap<const FunctionDecl *, uint32_t> Indices;
};

/// Clang begins a default in braces at its equal sign.
Span Collector::defaultSpan(const ParmVarDecl &P) {
  Span At = span(P.getDefaultArgRange());
  StringRef Text = text(At);
  if (Text.consume_front("=")) {
    Text = Text.ltrim();
    At = {At.File, uint32_t(At.end() - Text.size()), uint32_t(Text.size())};
  }
  return At;
}

KernelParam Collector::param(const FunctionDecl *F, unsigned Index, bool &Editable) {
  const ParmVarDecl *P = F->getParamDecl(Index);
  KernelParam Out;
  // The canonical type has the parameters as they count: without outer const, arrays decayed.
  const auto *Type = F->getType().getCanonicalType()->castAs<FunctionProtoType>();
  Out.Name = P->getNameAsString();
  Out.Whole = span(P->getSourceRange());
  // Clang takes int for a type that it does not know.
  if (!P->isInvalidDecl() && !hasError(Out.Whole))
    Out.Canonical = canonicalSpelling(Type->getParamType(Index), Context);
  if (P->hasDefaultArg() && !P->hasInheritedDefaultArg() && !P->hasUnparsedDefaultArg() &&
      !P->hasUninstantiatedDefaultArg()) {
    Out.Default = defaultSpan(*P);
    // What {} comes to depends on the type.
    if (!Out.Canonical.empty())
      Out.DefaultValue = defaultValue(*P->getDefaultArg(), Context);
  }
  if (!Out.Whole.isValid() || P->getBeginLoc().isMacroID() || P->getEndLoc().isMacroID() ||
      P->getLocation().isMacroID()) {
    Editable = false;
    if (!Out.Whole.isValid()) { // something to point at all the same
      SourceLocation At = SM.getExpansionLoc(P->getLocation());
      Out.Whole = span(SourceRange(At, At));
    }
    Out.TypeText = P->getType().getAsString(Context.getPrintingPolicy());
    Out.NameAt = {Out.Whole.File, Out.Whole.end(), 0};
    return Out;
  }
  if (Out.Name.empty()) {
    Out.Type = Out.Whole;
    Out.NameAt = {Out.Whole.File, Out.Whole.end(), 0};
  } else {
    Out.NameAt = span(SourceRange(P->getLocation(), P->getLocation()));
    StringRef Before = text(Out.Whole).substr(0, Out.NameAt.Offset - Out.Whole.Offset).rtrim();
    Out.Type = {Out.Whole.File, Out.Whole.Offset, uint32_t(Before.size())};
    // In `int x[2]` and `int (*x)(int)` the type goes on behind the name.
    TypeLoc Written = P->getTypeSourceInfo()->getTypeLoc();
    if (!Written.isNull() && Written.getEndLoc().isValid() &&
        SM.isBeforeInTranslationUnit(P->getLocation(), Written.getEndLoc()))
      Out.Type = {};
  }
  Out.TypeText = Out.Type.isValid() ? inOneLine(text(Out.Type))
                                    : P->getType().getAsString(Context.getPrintingPolicy());
  return Out;
}

void Collector::returnType(const FunctionDecl *F, KernelDecl &K) {
  FunctionTypeLoc Written = F->getFunctionTypeLoc();
  bool Trailing = Written.getTypePtr()->castAs<FunctionProtoType>()->hasTrailingReturn();
  K.Return =
      span(Trailing ? Written.getReturnLoc().getSourceRange() : F->getReturnTypeSourceRange());
  Span Head = span(SourceRange(F->getBeginLoc(), F->getLocation()));
  if (!hasError(Head) && !(Trailing && hasError(K.Return)))
    K.ReturnCanonical = canonicalSpelling(F->getReturnType(), Context);
  if (!K.Return.isValid()) {
    K.ReturnText = F->getReturnType().getAsString(Context.getPrintingPolicy());
    return;
  }
  // The range lacks qualifiers that stand before the type.
  SourceLocation From = Trailing ? Written.getRParenLoc() : F->getBeginLoc();
  Span Begin = span(SourceRange(From, From));
  if (Begin.isValid() && Begin.File == K.Return.File && Begin.Offset < K.Return.Offset) {
    StringRef Before = text({Begin.File, Begin.Offset, K.Return.Offset - Begin.Offset}).rtrim();
    if (Before.consume_back("const") &&
        (Before.empty() || !isAsciiIdentifierContinue(Before.back()))) {
      uint32_t Start = Begin.Offset + Before.size();
      K.Return = {K.Return.File, Start, K.Return.end() - Start};
    }
  }
  K.ReturnText = inOneLine(text(K.Return));
}

bool Collector::hasError(Span S, bool OnlySyntax) const {
  return S.File == 0 && llvm::any_of(Errors, [&](const ClangError &E) {
           return (E.Syntax || !OnlySyntax) && E.Offset >= S.Offset && E.Offset <= S.end();
         });
}

bool Collector::isKernelLike(const FunctionDecl *F) {
  if (F->isImplicit() || F->isOverloadedOperator() || !F->getDeclName().isIdentifier() ||
      F->getTemplatedKind() != FunctionDecl::TK_NonTemplate ||
      !F->getType()->getAs<FunctionProtoType>())
    return false;
  if (isa<CXXConstructorDecl, CXXDestructorDecl, CXXConversionDecl>(F))
    return false;
  return isWanted(F->getDeclContext()->getRedeclContext());
}

void Collector::add(const FunctionDecl *F, bool InMainFile) {
  FunctionTypeLoc Written = F->getFunctionTypeLoc();
  if (!Written)
    return; // declared through a typedef
  KernelDecl K;
  K.Name = F->getNameAsString();
  const DeclContext *Scope = F->getDeclContext()->getRedeclContext();
  K.Scope = scopeName(*Scope);
  K.Member = Scope->isRecord();
  K.Definition = F->isThisDeclarationADefinition();
  K.Internal = !K.Member && (F->getStorageClass() == SC_Static || F->isInAnonymousNamespace());
  K.InMainFile = InMainFile;
  K.Undeclared = isUndeclared(*F);
  K.Editable = true;
  K.NameAt = span(SourceRange(F->getLocation(), F->getLocation()));
  SourceLocation Open = Written.getLParenLoc(), Close = Written.getRParenLoc();
  Span OpenAt = span(SourceRange(Open, Open)), CloseAt = span(SourceRange(Close, Close));
  if (!K.NameAt.isValid() || F->getLocation().isMacroID()) {
    // A macro's name stands for the function's; the parameters behind it may be the file's own.
    SourceLocation At = SM.getExpansionLoc(F->getLocation());
    K.NameAt = span(SourceRange(At, At));
    if (!K.NameAt.isValid())
      return;
  }
  if (OpenAt.isValid() && CloseAt.isValid() && OpenAt.File == CloseAt.File && !Open.isMacroID() &&
      !Close.isMacroID())
    K.ParamList = {OpenAt.File, OpenAt.end(), CloseAt.Offset - OpenAt.end()};
  else
    K.Editable = false;
  if (K.ParamList.isValid() &&
      hasError({K.NameAt.File, K.NameAt.Offset, K.ParamList.end() - K.NameAt.Offset},
               /*OnlySyntax=*/true))
    return; // what the parser made of it is a guess
  if (K.ParamList.isValid())
    K.Head = Spans.span(SourceRange(F->getBeginLoc(), Close));
  K.Surroundings = scopeName(*F->getLexicalDeclContext()->getEnclosingNamespaceContext());
  for (unsigned I = 0; I < F->getNumParams(); ++I)
    K.Params.push_back(param(F, I, K.Editable));
  returnType(F, K);
  K.Short = shortNames(*F, Unit.Names);
  Indices[F] = Unit.Kernels.size();
  Sources.push_back(F);
  Unit.Kernels.push_back(std::move(K));
}

void Collector::visit(Decl *D) {
  if (auto *F = dyn_cast<FunctionDecl>(D)) {
    if (isKernelLike(F))
      add(F, /*InMainFile=*/true);
    return;
  }
  auto *Record = dyn_cast<CXXRecordDecl>(D);
  if (Record && (!Record->isThisDeclarationADefinition() || !isWanted(Record)))
    return;
  if (Record)
    addScope(*Record, Record->getBraceRange());
  else if (auto *Namespace = dyn_cast<NamespaceDecl>(D);
           Namespace && !Namespace->isAnonymousNamespace() && isWanted(Namespace))
    addScope(*Namespace, bracesOf(*Namespace));
  if (Record || isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D))
    for (Decl *Member : cast<DeclContext>(D)->decls())
      visit(Member);
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
    for (const FunctionDecl *Other : Sources[I]->redecls())
      if (!Indices.contains(Other) && !Other->isImplicit() &&
          !SM.isInSystemHeader(Other->getLocation()))
        add(Other, /*InMainFile=*/false);
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
      Known &= !P.Canonical.empty();
      Key += "," + P.Canonical;
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
                           TranslationUnit &Unit) {
  Collector TheCollector(Context, Scopes, Errors, Unit);
  for (Decl *D : TopLevel)
    TheCollector.visit(D);
  TheCollector.addRedeclarations();
}
