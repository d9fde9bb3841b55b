//===- AutogradFunctions.cpp - classes whose apply() autograd records ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// a name in a body that was not parsed => declarations that it may mean => their bases
//
//===----------------------------------------------------------------------===//
#include "Decls/KernelInternal.h"

#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;

namespace {

using Decls = llvm::SmallVector<const NamedDecl *, 4>;

/// Members of \p Scope, those of anonymous namespaces and others that it uses among them.
Decls membersOf(const DeclContext &Scope, DeclarationName Name) {
  Decls Found;
  llvm::append_range(Found, Scope.lookup(Name));
  for (const UsingDirectiveDecl *Using : Scope.using_directives())
    llvm::append_range(Found, Using->getNominatedNamespace()->lookup(Name));
  return Found;
}

const CXXRecordDecl *classOf(const NamedDecl &D) {
  const NamedDecl *Meant = D.getUnderlyingDecl();
  if (const auto *Template = dyn_cast<ClassTemplateDecl>(Meant))
    return Template->getTemplatedDecl()->getDefinition();
  const auto *Alias = dyn_cast<TypedefNameDecl>(Meant);
  const auto *Class =
      Alias ? Alias->getUnderlyingType()->getAsCXXRecordDecl() : dyn_cast<CXXRecordDecl>(Meant);
  return Class ? Class->getDefinition() : nullptr;
}

const DeclContext *scopeOf(const NamedDecl &D) {
  if (const auto *Namespace = dyn_cast<NamespaceDecl>(D.getUnderlyingDecl()))
    return Namespace;
  return classOf(D);
}

/// `torch::autograd::Function<X>` also where X is an argument of a template.
bool isFunctionTemplate(QualType Base) {
  if (const auto *Class = Base->getAsCXXRecordDecl())
    return scopeName(*Class) == "torch::autograd::Function";
  const auto *Special = Base->getAs<TemplateSpecializationType>();
  const TemplateDecl *Template = Special ? Special->getTemplateName().getAsTemplateDecl() : nullptr;
  return Template && templateName(*Template) == "torch::autograd::Function";
}

} // namespace

bool opsig::isAutogradFunction(const CXXRecordDecl &Class) {
  return llvm::any_of(Class.bases(), [](const CXXBaseSpecifier &Base) {
    const CXXRecordDecl *Record = Base.getType()->getAsCXXRecordDecl();
    return isFunctionTemplate(Base.getType()) ||
           (Record && Record->getDefinition() && isAutogradFunction(*Record->getDefinition()));
  });
}

bool opsig::isAutogradFunction(llvm::ArrayRef<StringRef> Class, const FunctionDecl &F) {
  IdentifierTable &Names = F.getASTContext().Idents;
  Decls Found;
  for (const DeclContext *At = F.getDeclContext(); At && Found.empty(); At = At->getParent())
    Found = membersOf(*At, &Names.get(Class.front()));
  for (StringRef Part : Class.drop_front()) {
    Decls Inner;
    for (const NamedDecl *D : Found)
      if (const DeclContext *Scope = scopeOf(*D))
        llvm::append_range(Inner, membersOf(*Scope, &Names.get(Part)));
    Found = std::move(Inner);
  }
  return !Found.empty() && llvm::all_of(Found, [](const NamedDecl *D) {
    const CXXRecordDecl *Meant = classOf(*D);
    return Meant && isAutogradFunction(*Meant);
  });
}
