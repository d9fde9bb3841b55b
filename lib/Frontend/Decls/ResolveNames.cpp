//===- ResolveNames.cpp - which types the names of signatures stand for -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "at::TensorList" => DeclContext::lookup, scope by scope => the declaration behind using
//   declarations => CppType or the name of a template
//
// Sema is not asked, so that this works on a finished AST, too.
//
//===----------------------------------------------------------------------===//
#include "Decls/KernelInternal.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace clang;
using llvm::SmallPtrSet;

namespace {

class NameResolver {
public:
  explicit NameResolver(ASTContext &Context) : Context(Context) {}

  CppType base(CppBase Base);
  std::string classTemplate(StringRef QualifiedName);
  /// Whether the class template \p QualifiedName has a specialization for \p T.
  bool isSpecializedFor(StringRef QualifiedName, QualType T);
  /// Whether the alias template \p QualifiedName is made of its parameter as it is given.
  bool usesParameterItself(StringRef QualifiedName);
  /// Whether there is a function \p QualifiedName that \p Fits.
  bool hasFunction(StringRef QualifiedName, llvm::function_ref<bool(const FunctionDecl &)> Fits);
  /// The enumerators of \p QualifiedName; none if there is no such enumeration.
  std::vector<StringRef> enumerators(StringRef QualifiedName);
  bool knows(StringRef QualifiedName) { return find(QualifiedName) != nullptr; }
  /// What a name without namespaces stands for in \p From and the scopes around it, as declared
  /// before \p Before: a type, or a class template without arguments; else
  /// unread.
  CppType unqualified(const DeclContext &From, StringRef Name, SourceLocation Before);

private:
  /// The first type, class template or namespace called \p Name that lookup in \p Scope finds: in
  /// it or, if it has none, in the namespaces that it uses.
  NamedDecl *find(DeclContext &Scope, StringRef Name, SmallPtrSet<DeclContext *, 4> &Seen);
  NamedDecl *find(StringRef QualifiedName);
  std::string classTemplate(NamedDecl *Found);

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

CppType NameResolver::base(CppBase Base) {
  switch (Base) {
  case CppBase::Void:
    return readType(Context.VoidTy, Context);
  case CppBase::Bool:
    return readType(Context.BoolTy, Context);
  case CppBase::Double:
    return readType(Context.DoubleTy, Context);
  case CppBase::ScalarT:
  case CppBase::OpmathT:
    return {}; // template parameters
  default:
    break;
  }
  NamedDecl *Found = find(spelling(Base));
  auto *Type = dyn_cast_or_null<TypeDecl>(Found);
  // A program may use int64_t's own type without <cstdint>.
  if (!Type && Base == CppBase::Long)
    return readType(Context.getIntTypeForBitwidth(64, /*Signed=*/true), Context);
  if (!Type || Type->isInvalidDecl())
    return {};
  return readType(Context.getCanonicalTypeDeclType(Type), Context);
}

std::string NameResolver::classTemplate(StringRef QualifiedName) {
  return classTemplate(find(QualifiedName));
}

CppType NameResolver::unqualified(const DeclContext &From, StringRef Name, SourceLocation Before) {
  const SourceManager &SM = Context.getSourceManager();
  auto Read = [&](NamedDecl *D) {
    if (auto *Type = dyn_cast<TypeDecl>(D); Type && !Type->isInvalidDecl())
      return readType(Context.getCanonicalTypeDeclType(Type), Context);
    std::string Name = classTemplate(D);
    return Name.empty() ? CppType() : CppType::named(std::move(Name));
  };
  DeclarationName Identifier(&Context.Idents.get(Name));
  for (const DeclContext *Scope = &From; Scope; Scope = Scope->getLookupParent()) {
    for (NamedDecl *Found : Scope->lookup(Identifier))
      // A using declaration is followed by what it introduces.
      if (!isa<BaseUsingDecl>(Found) && SM.isBeforeInTranslationUnit(Found->getLocation(), Before))
        return Read(Found->getUnderlyingDecl());
    SmallPtrSet<DeclContext *, 4> Seen;
    for (UsingDirectiveDecl *Using : Scope->using_directives())
      if (SM.isBeforeInTranslationUnit(Using->getLocation(), Before))
        if (NamedDecl *Found = find(*Using->getNominatedNamespace(), Name, Seen))
          return Read(Found);
  }
  return {};
}

std::string NameResolver::classTemplate(NamedDecl *Found) {
  // An alias template stands for the template that its target is made of.
  while (auto *Alias = dyn_cast_or_null<TypeAliasTemplateDecl>(Found)) {
    const auto *Target =
        Alias->getTemplatedDecl()->getUnderlyingType()->getAs<TemplateSpecializationType>();
    Found = Target ? Target->getTemplateName().getAsTemplateDecl() : nullptr;
    if (Found)
      Found = Found->getUnderlyingDecl();
  }
  auto *Template = dyn_cast_or_null<ClassTemplateDecl>(Found);
  return Template ? templateName(*Template) : "";
}

} // namespace

ShortNames opsig::shortNames(const FunctionDecl &F, const TypeNames &Names) {
  NameResolver Resolver(F.getASTContext());
  SourceLocation At = F.getBeginLoc();
  // A member's return type is looked up where its definition stands, its parameters in its class.
  auto IsShort = [&](StringRef Qualified, const CppType &Canonical) {
    auto [Namespace, Name] = Qualified.rsplit("::");
    return !Name.empty() && Canonical.isRead() &&
           Resolver.unqualified(*F.getDeclContext(), Name, At) == Canonical &&
           Resolver.unqualified(*F.getLexicalDeclContext(), Name, At) == Canonical;
  };
  ShortNames Short;
  for (unsigned I = 0; I < NumCppBases; ++I)
    Short[I] = IsShort(spelling(CppBase(I)), Names.Bases[I]);
  for (unsigned I = 0; I < NumCppTemplates; ++I)
    if (!Names.Templates[I].empty())
      Short[NumCppBases + I] =
          IsShort(templateNames(CppTemplate(I)).front(), CppType::named(Names.Templates[I]));
  return Short;
}

bool NameResolver::isSpecializedFor(StringRef QualifiedName, QualType T) {
  auto *Template = dyn_cast_or_null<ClassTemplateDecl>(find(QualifiedName));
  return Template &&
         llvm::any_of(Template->specializations(), [&](ClassTemplateSpecializationDecl *S) {
           const TemplateArgument &First = S->getTemplateArgs()[0];
           return S->isExplicitSpecialization() && First.getKind() == TemplateArgument::Type &&
                  Context.hasSameType(First.getAsType(), T);
         });
}

bool NameResolver::usesParameterItself(StringRef QualifiedName) {
  auto *Alias = dyn_cast_or_null<TypeAliasTemplateDecl>(find(QualifiedName));
  if (!Alias)
    return false;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Alias->getTemplatedDecl()->getUnderlyingType().print(OS, Context.getPrintingPolicy());
  return !StringRef(Text).contains("decay");
}

bool NameResolver::hasFunction(StringRef QualifiedName,
                               llvm::function_ref<bool(const FunctionDecl &)> Fits) {
  auto [Scope, Name] = QualifiedName.rsplit("::");
  auto *In = dyn_cast_or_null<DeclContext>(find(Scope));
  return In && llvm::any_of(In->lookup(DeclarationName(&Context.Idents.get(Name))),
                            [&](const NamedDecl *D) {
                              const auto *F = dyn_cast<FunctionDecl>(D);
                              return F && Fits(*F);
                            });
}

std::vector<StringRef> NameResolver::enumerators(StringRef QualifiedName) {
  std::vector<StringRef> Names;
  if (auto *Enum = dyn_cast_or_null<EnumDecl>(find(QualifiedName)))
    if (const EnumDecl *Definition = Enum->getDefinition())
      for (const EnumConstantDecl *E : Definition->enumerators())
        Names.push_back(E->getName());
  return Names;
}

/// What Python calls the type of an enumerator of ScalarType, and schemas with it.
static std::vector<std::string> scalarTypeNames(StringRef Enumerator) {
  return llvm::StringSwitch<std::vector<std::string>>(Enumerator)
      .Case("Byte", {"uint8"})
      .Case("Char", {"int8"})
      .Case("Short", {"int16", "short"})
      .Case("Int", {"int32", "int"})
      .Case("Long", {"int64", "long"})
      .Case("Half", {"float16", "half"})
      .Case("Float", {"float32", "float"})
      .Case("Double", {"float64", "double"})
      .Case("ComplexHalf", {"complex32", "chalf"})
      .Case("ComplexFloat", {"complex64", "cfloat"})
      .Case("ComplexDouble", {"complex128", "cdouble"})
      .Case("UInt1", {"uint1", "bit"})
      .Cases({"Undefined", "NumOptions"}, {})
      .Default({Enumerator.lower()});
}

static ScriptRules scriptRules(NameResolver &Resolver) {
  ScriptRules Rules;
  // Headers of the stable ABI show nothing of the dispatcher, but are newer than all of this.
  bool IsNew = Resolver.knows("torch::headeronly::ScalarType");
  Rules.TypeVariables = !IsNew && !Resolver.hasFunction("torch::schema", [](const FunctionDecl &F) {
    return F.getNumParams() != 0 && F.parameters().back()->getType()->isBooleanType();
  });
  Rules.Awaits = IsNew || Resolver.knows("c10::AwaitType");
  if (IsNew || Resolver.hasFunction("c10::getStringToDtypeMap", [](auto &) { return true; }))
    for (StringRef Name :
         Resolver.enumerators(IsNew ? "torch::headeronly::ScalarType" : "c10::ScalarType"))
      llvm::append_range(Rules.ScalarTypes, scalarTypeNames(Name));
  for (StringRef Name : Resolver.enumerators("c10::DeviceType"))
    Rules.DeviceTypes.push_back(Name == "PrivateUse1" ? "privateuseone" : Name.lower());
  return Rules;
}

TypeNames opsig::resolveNames(ASTContext &Context) {
  NameResolver Resolver(Context);
  TypeNames Names;
  for (unsigned I = 0; I < NumCppBases; ++I)
    Names.Bases[I] = Resolver.base(CppBase(I));
  for (unsigned I = 0; I < NumCppTemplates; ++I)
    for (StringRef Name : templateNames(CppTemplate(I)))
      if (Names.Templates[I].empty())
        Names.Templates[I] = Resolver.classTemplate(Name);
  Names.TakesDeviceIndex =
      Resolver.isSpecializedFor("c10::detail::getTypePtr_", Context.SignedCharTy);
  Names.SymIntsByValue = Resolver.usesParameterItself("c10::has_symint");
  Names.Strings = scriptRules(Resolver);
  return Names;
}
