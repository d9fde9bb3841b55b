//===- ReadType.cpp - types of Clang's as trees -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// QualType => canonical type => CppType
// CppType x TypeLoc => the same with places, as far as both have the same parts
//
//===----------------------------------------------------------------------===//
#include "Decls/UnitSpansInternal.h"

#include "clang/AST/TypeLoc.h"

using namespace opsig;
using namespace clang;

namespace {

/// Versions of the standard library live in inline namespaces.
std::string plain(StringRef Name) {
  for (StringRef Inline : {"std::__cxx11::", "std::__1::", "std::__ndk1::"})
    if (Name.consume_front(Inline))
      return "std::" + Name.str();
  return Name.str();
}

CppType read(QualType T, const ASTContext &Context);

/// The qualified name with every namespace there is, so that it is unique.
std::string uniqueName(const NamedDecl &D) {
  std::string Name = D.getNameAsString();
  for (const DeclContext *Scope = D.getDeclContext(); Scope && !Scope->isTranslationUnit();
       Scope = Scope->getParent()) {
    if (const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(Scope)) {
      const ASTContext &Context = Special->getASTContext();
      Name = read(Context.getCanonicalTagType(Special), Context).str() + "::" + Name;
    } else if (const auto *Named = dyn_cast<NamedDecl>(Scope)) {
      Name = (Named->getDeclName() ? Named->getNameAsString() : "(anonymous)") + "::" + Name;
    }
  }
  return plain(Name);
}

CppType opaque(std::string Text) {
  CppType Out = CppType::named(std::move(Text));
  if (StringRef(Out.Name).find_first_of("<>,&*([") != StringRef::npos)
    Out.Is = CppType::Opaque;
  return Out;
}

/// Adds what \p Argument stands for; false where that cannot be read.
bool addArguments(const TemplateArgument &Argument, const ASTContext &Context, CppType &Out) {
  switch (Argument.getKind()) {
  case TemplateArgument::Type: {
    CppType One = read(Argument.getAsType().getCanonicalType(), Context);
    // A vector's default allocator goes without saying.
    bool Default = Out.Name == "std::vector" && One.Name == "std::allocator" && !One.Args.empty();
    if (One.isRead() && !Default)
      Out.Args.push_back(One);
    return One.isRead();
  }
  case TemplateArgument::Integral:
    Out.Args.push_back(CppType::named(llvm::toString(Argument.getAsIntegral(), 10)));
    return true;
  case TemplateArgument::Pack:
    return llvm::all_of(Argument.pack_elements(), [&](const TemplateArgument &Element) {
      return addArguments(Element, Context, Out);
    });
  default: {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    Argument.print(Context.getPrintingPolicy(), OS, /*IncludeType=*/true);
    Out.Args.push_back(opaque(Text));
    return true;
  }
  }
}

CppType read(const ClassTemplateSpecializationDecl &D, const ASTContext &Context) {
  CppType Out = CppType::named(uniqueName(*D.getSpecializedTemplate()));
  for (const TemplateArgument &Argument : D.getTemplateArgs().asArray())
    if (!addArguments(Argument, Context, Out))
      return {};
  return Out;
}

CppType readUnqualified(QualType T, const ASTContext &Context) {
  if (const auto *Record = T->getAsCXXRecordDecl()) {
    const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(Record);
    return Special ? read(*Special, Context) : CppType::named(uniqueName(*Record));
  }
  if (const auto *Enum = T->getAsEnumDecl())
    return CppType::named(uniqueName(*Enum));
  if (const auto *Pointer = T->getAs<clang::PointerType>())
    return CppType::of(CppType::Pointer, read(Pointer->getPointeeType(), Context));
  return opaque(T.getAsString(Context.getPrintingPolicy()));
}

/// \p T is canonical and holds no error.
CppType read(QualType T, const ASTContext &Context) {
  if (const auto *Reference = T->getAs<ReferenceType>())
    return CppType::of(isa<LValueReferenceType>(Reference) ? CppType::LeftRef : CppType::RightRef,
                       read(Reference->getPointeeType(), Context));
  CppType Out = readUnqualified(T.getUnqualifiedType(), Context);
  Out.Const = Out.isRead() && T.isConstQualified();
  Out.Volatile = Out.isRead() && T.isVolatileQualified();
  return Out;
}

/// Where the parts of a type stand.
class Placer {
public:
  explicit Placer(UnitSpans &Spans) : Spans(Spans) {}

  void place(CppType &T, TypeLoc Written);

private:
  Span token(SourceLocation At) { return Spans.fixed(SourceRange(At, At)); }
  void placeArguments(CppType &T, TemplateSpecializationTypeLoc Written);

  UnitSpans &Spans;
};

void Placer::placeArguments(CppType &T, TemplateSpecializationTypeLoc Written) {
  for (unsigned I = 0; I < Written.getNumArgs() && I < T.Args.size(); ++I) {
    const TemplateArgumentLoc &Argument = Written.getArgLoc(I);
    if (Argument.getArgument().getKind() != TemplateArgument::Type)
      continue;
    // An alias template may have its parameters at other places.
    const TypeSourceInfo *Source = Argument.getTypeSourceInfo();
    if (Source && readType(Source->getType(), Spans.context()) == T.Args[I])
      place(T.Args[I], Source->getTypeLoc());
  }
}

void Placer::place(CppType &T, TypeLoc Written) {
  while (auto Inner = Written.getAs<ParenTypeLoc>())
    Written = Inner.getInnerLoc();
  Written = Written.getUnqualifiedLoc();
  if (auto Reference = Written.getAs<ReferenceTypeLoc>(); Reference && T.isRef()) {
    T.At = token(Reference.getSigilLoc());
    place(T.Args.front(), Reference.getPointeeLoc());
  } else if (auto Pointer = Written.getAs<PointerTypeLoc>(); Pointer && T.Is == CppType::Pointer) {
    T.At = token(Pointer.getSigilLoc());
    place(T.Args.front(), Pointer.getPointeeLoc());
  } else if (T.Is == CppType::Named) {
    auto Special = Written.getAs<TemplateSpecializationTypeLoc>();
    SourceLocation End = Special ? Special.getTemplateNameLoc() : Written.getEndLoc();
    T.At = Spans.fixed(SourceRange(Written.getBeginLoc(), End));
    if (Special)
      placeArguments(T, Special);
  }
}

} // namespace

CppType opsig::readType(QualType T, const ASTContext &Context) {
  if (T.isNull() || T->isDependentType() || T->containsErrors() || T->isUndeducedType())
    return {};
  return read(T.getCanonicalType(), Context);
}

void opsig::placeType(CppType &T, TypeLoc Written, UnitSpans &Spans) {
  if (T.isRead() && !Written.isNull())
    Placer(Spans).place(T, Written);
}

std::string opsig::templateName(const TemplateDecl &Template) { return uniqueName(Template); }
