//===- LinkedSymbols.cpp - what a file gives the linker, and wants of it ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// functions of the project => those that other files can see, by their mangled names
// a registered function => the mangled name that some other file has to define
//
// Names are Clang's own, so that what is the same function to the linker is the same here.
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;

namespace {

/// Of a class only static functions can be kernels, and those of templates are instantiated with
/// their class.
bool mayBeKernel(const FunctionDecl &F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  return !F.isInvalidDecl() && !F.isDependentContext() && !F.getType()->isDependentType() &&
         F.getFormalLinkage() == Linkage::External &&
         (!Method ||
          (Method->isStatic() && !isa<ClassTemplateSpecializationDecl>(Method->getParent())));
}

/// Something else than a plain definition may stand for it.
bool hasOtherSource(const FunctionDecl &F) {
  return F.hasAttr<WeakAttr>() || F.hasAttr<WeakRefAttr>() || F.hasAttr<WeakImportAttr>() ||
         F.hasAttr<AliasAttr>() || F.hasAttr<IFuncAttr>() || F.hasAttr<AsmLabelAttr>() ||
         F.hasAttr<DLLImportAttr>();
}

/// PyTorch has functions that it declares nowhere, and whoever needs one declares it.
bool isOfPyTorch(StringRef Qualified) {
  StringRef First = Qualified.split("::").first;
  return First != Qualified && llvm::is_contained({"at", "c10", "torch", "caffe2", "std"}, First);
}

bool isDefinedHere(const FunctionDecl &F) {
  if (F.isDefined())
    return true;
  const FunctionDecl *Pattern = F.getTemplateInstantiationPattern(/*ForDefinition=*/false);
  return Pattern && Pattern->isDefined();
}

class SymbolCollector {
public:
  SymbolCollector(ASTContext &Context, UnitFacts &Unit)
      : SM(Context.getSourceManager()), Context(Context), Spans(Context, Unit), Names(Context),
        Unit(Unit) {}

  void visit(const Decl *D);
  void finish() {
    llvm::sort(Unit.Symbols);
    Unit.Symbols.erase(llvm::unique(Unit.Symbols), Unit.Symbols.end());
  }

private:
  void add(const FunctionDecl &F) {
    if (mayBeKernel(F))
      Unit.Symbols.push_back(Names.getName(&F));
  }
  void addTemplate(const FunctionTemplateDecl &T);
  bool isUsed(const FunctionTemplateDecl &T);

  const SourceManager &SM;
  ASTContext &Context;
  UnitSpans Spans;
  ASTNameGenerator Names;
  std::optional<FileWords> Words;
  UnitFacts &Unit;
};

/// What skipped bodies do is known by their words alone.
bool SymbolCollector::isUsed(const FunctionTemplateDecl &T) {
  if (!Words)
    Words.emplace(Context);
  auto InMain =
      llvm::count_if(T.redecls(), [&](const Decl *D) { return SM.isInMainFile(D->getLocation()); });
  return !T.specializations().empty() || Words->Counts.lookup(T.getName()) != InMain ||
         SM.getFileOffset(T.getLocation()) < Words->LastInclude;
}

void SymbolCollector::addTemplate(const FunctionTemplateDecl &T) {
  for (const FunctionDecl *F : T.specializations())
    if (F->getTemplateSpecializationKind() == TSK_ExplicitInstantiationDefinition)
      add(*F);
  const FunctionDecl &F = *T.getTemplatedDecl();
  if (!F.isThisDeclarationADefinition() || !T.getDeclName().isIdentifier() ||
      !SM.isInMainFile(T.getLocation()) || F.isCXXClassMember() ||
      F.getFormalLinkage() != Linkage::External)
    return;
  Unit.Templates.push_back(
      {scopeName(F), Spans.use(SourceRange(F.getLocation(), F.getLocation())), isUsed(T)});
}

void SymbolCollector::visit(const Decl *D) {
  if (const auto *F = dyn_cast<FunctionDecl>(D); F && F->isThisDeclarationADefinition())
    add(*F);
  if (const auto *T = dyn_cast<FunctionTemplateDecl>(D))
    addTemplate(*T);
  const auto *Record = dyn_cast<CXXRecordDecl>(D);
  if ((Record && Record->isThisDeclarationADefinition() && !Record->isDependentContext()) ||
      isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D))
    for (const Decl *Member : cast<DeclContext>(D)->decls())
      visit(Member);
}

} // namespace

std::string opsig::neededSymbol(const FunctionDecl &F, UnitSpans &Spans) {
  if (!mayBeKernel(F) || isDefinedHere(F) || F.isExternC() || F.isInlined() || F.isDeleted() ||
      F.getBuiltinID() != 0 || isOfPyTorch(scopeName(F)))
    return "";
  for (const FunctionDecl *Declared : F.redecls())
    if (hasOtherSource(*Declared) || Spans.isForeign(*Declared))
      return "";
  // An instantiation has no place of its own; where the template stands decides.
  if (const FunctionTemplateDecl *T = F.getPrimaryTemplate())
    for (const Decl *Declared : T->redecls())
      if (Spans.isForeign(*Declared))
        return "";
  return ASTNameGenerator(Spans.context()).getName(&F);
}

std::string opsig::offeredSymbol(const FunctionDecl &F, UnitSpans &Spans) {
  return mayBeKernel(F) ? ASTNameGenerator(Spans.context()).getName(&F) : "";
}

void opsig::collectSymbols(llvm::ArrayRef<Decl *> TopLevel, ASTContext &Context, UnitFacts &Unit) {
  SymbolCollector Collector(Context, Unit);
  for (const Decl *D : TopLevel)
    Collector.visit(D);
  Collector.finish();
}
