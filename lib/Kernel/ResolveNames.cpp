//===- ResolveNames.cpp - which types the names of signatures stand for -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "at::TensorList" => DeclContext::lookup, scope by scope => the declaration behind using
//   declarations => canonical spelling
//
// Sema is not asked, so that this works on a finished AST, too.
//
//===----------------------------------------------------------------------===//
#include "KernelInternal.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace opsig;
using namespace clang;
using llvm::SmallPtrSet;

namespace {

class NameResolver {
public:
  explicit NameResolver(ASTContext &Context) : Context(Context) {}

  std::string base(CppBase Base);
  std::string classTemplate(StringRef QualifiedName);

private:
  /// The first type, class template or namespace called \p Name that lookup in \p Scope finds: in
  /// it or, if it has none, in the namespaces that it uses.
  NamedDecl *find(DeclContext &Scope, StringRef Name, SmallPtrSet<DeclContext *, 4> &Seen);
  NamedDecl *find(StringRef QualifiedName);

  ASTContext &Context;
};

NamedDecl *NameResolver::find(DeclContext &Scope, StringRef Name,
                              SmallPtrSet<DeclContext *, 4> &Seen) {
  if (!Seen.insert(Scope.getPrimaryContext()).second)
    return nullptr;
  for (NamedDecl *Found : Scope.lookup(DeclarationName(&Context.Idents.get(Name)))) {
    Found = Found->getUnderlyingDecl();
    if (auto *Alias = dyn_cast<NamespaceAliasDecl>(Found))
      return Alias->getNamespace();
    if (isa<TypeDecl, ClassTemplateDecl, TypeAliasTemplateDecl, NamespaceDecl>(Found))
      return Found;
  }
  for (UsingDirectiveDecl *Using : Scope.using_directives())
    if (NamedDecl *Found = find(*Using->getNominatedNamespace(), Name, Seen))
      return Found;
  return nullptr;
}

NamedDecl *NameResolver::find(StringRef QualifiedName) {
  DeclContext *Scope = Context.getTranslationUnitDecl();
  while (true) {
    auto [Name, Rest] = QualifiedName.split("::");
    SmallPtrSet<DeclContext *, 4> Seen;
    NamedDecl *Found = find(*Scope, Name, Seen);
    if (!Found || Rest.empty())
      return Found;
    Scope = dyn_cast<DeclContext>(Found);
    if (!Scope)
      return nullptr;
    QualifiedName = Rest;
  }
}

std::string NameResolver::base(CppBase Base) {
  switch (Base) {
  case CppBase::Void:
    return canonicalSpelling(Context.VoidTy, Context);
  case CppBase::Bool:
    return canonicalSpelling(Context.BoolTy, Context);
  case CppBase::Double:
    return canonicalSpelling(Context.DoubleTy, Context);
  case CppBase::ScalarT:
  case CppBase::OpmathT:
    return ""; // template parameters
  default:
    break;
  }
  NamedDecl *Found = find(spelling(Base));
  auto *Type = dyn_cast_or_null<TypeDecl>(Found);
  // A program may use int64_t's own type without <cstdint>.
  if (!Type && Base == CppBase::Long)
    return canonicalSpelling(Context.getIntTypeForBitwidth(64, /*Signed=*/true), Context);
  if (!Type || Type->isInvalidDecl())
    return "";
  return canonicalSpelling(Context.getCanonicalTypeDeclType(Type), Context);
}

std::string NameResolver::classTemplate(StringRef QualifiedName) {
  NamedDecl *Found = find(QualifiedName);
  // An alias template stands for the template that its target is made of.
  while (auto *Alias = dyn_cast_or_null<TypeAliasTemplateDecl>(Found)) {
    const auto *Target =
        Alias->getTemplatedDecl()->getUnderlyingType()->getAs<TemplateSpecializationType>();
    Found = Target ? Target->getTemplateName().getAsTemplateDecl() : nullptr;
    if (Found)
      Found = Found->getUnderlyingDecl();
  }
  auto *Template = dyn_cast_or_null<ClassTemplateDecl>(Found);
  return Template ? canonicalSpelling(*Template) : "";
}

} // namespace

TypeNames opsig::resolveNames(ASTContext &Context) {
  NameResolver Resolver(Context);
  TypeNames Names;
  for (unsigned I = 0; I < NumCppBases; ++I)
    Names.Bases[I] = Resolver.base(CppBase(I));
  for (unsigned I = 0; I < NumCppTemplates; ++I)
    for (StringRef Name : templateNames(CppTemplate(I)))
      if (Names.Templates[I].empty())
        Names.Templates[I] = Resolver.classTemplate(Name);
  return Names;
}
