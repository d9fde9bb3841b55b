//===- CanonicalType.cpp - found types as canonical spellings ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Read/KernelInternal.h"

using namespace opsig;
using namespace clang;

namespace {

/// The qualified name with every namespace there is, so that it is unique.
std::string uniqueName(const NamedDecl &D) {
  std::string Name = D.getNameAsString();
  for (const DeclContext *Scope = D.getDeclContext(); Scope && !Scope->isTranslationUnit();
       Scope = Scope->getParent()) {
    if (const auto *Specialization = dyn_cast<ClassTemplateSpecializationDecl>(Scope))
      Name = canonicalSpelling(Specialization->getASTContext().getCanonicalTagType(Specialization),
                               Specialization->getASTContext()) +
             "::" + Name;
    else if (const auto *Named = dyn_cast<NamedDecl>(Scope))
      Name = (Named->getDeclName() ? Named->getNameAsString() : "(anonymous)") + "::" + Name;
  }
  return Name;
}

std::string spell(QualType T, const ASTContext &Context);

/// "" where an argument cannot be spelled.
std::string spell(const TemplateArgument &Argument, const ASTContext &Context) {
  switch (Argument.getKind()) {
  case TemplateArgument::Type:
    return spell(Argument.getAsType().getCanonicalType(), Context);
  case TemplateArgument::Integral:
    return llvm::toString(Argument.getAsIntegral(), 10);
  case TemplateArgument::Pack: {
    std::string Text;
    for (const TemplateArgument &Element : Argument.pack_elements()) {
      std::string One = spell(Element, Context);
      if (One.empty())
        return "";
      Text += (Text.empty() ? "" : ",") + One;
    }
    return Text;
  }
  default: {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    Argument.print(Context.getPrintingPolicy(), OS, /*IncludeType=*/true);
    return Text;
  }
  }
}

std::string spell(const ClassTemplateSpecializationDecl &D, const ASTContext &Context) {
  std::string Name = uniqueName(*D.getSpecializedTemplate());
  std::string Text;
  for (const TemplateArgument &Argument : D.getTemplateArgs().asArray()) {
    std::string One = spell(Argument, Context);
    // A vector's default allocator goes without saying.
    if (Name == "std::vector" && StringRef(One).starts_with("std::allocator<"))
      continue;
    if (One.empty() && Argument.getKind() != TemplateArgument::Pack)
      return "";
    Text += (Text.empty() ? "" : ",") + One;
  }
  return Name + "<" + Text + ">";
}

/// \p T is canonical and holds no error.
std::string spell(QualType T, const ASTContext &Context) {
  if (const auto *Reference = T->getAs<ReferenceType>()) {
    std::string Referee = spell(Reference->getPointeeType(), Context);
    if (Referee.empty())
      return "";
    return Referee + (isa<LValueReferenceType>(Reference) ? "&" : "&&");
  }
  std::string Qualifiers = (T.isConstQualified() ? " const" : "");
  if (T.isVolatileQualified())
    Qualifiers += " volatile";
  T = T.getUnqualifiedType();
  std::string Text;
  if (const auto *Record = T->getAsCXXRecordDecl()) {
    const auto *Specialization = dyn_cast<ClassTemplateSpecializationDecl>(Record);
    Text = Specialization ? spell(*Specialization, Context) : uniqueName(*Record);
  } else if (const auto *Enum = T->getAsEnumDecl()) {
    Text = uniqueName(*Enum);
  } else if (const auto *Pointer = T->getAs<PointerType>()) {
    Text = spell(Pointer->getPointeeType(), Context);
    if (!Text.empty())
      Text += "*";
  } else {
    Text = T.getAsString(Context.getPrintingPolicy());
  }
  return Text.empty() ? "" : Text + Qualifiers;
}

} // namespace

std::string opsig::canonicalSpelling(QualType T, const ASTContext &Context) {
  if (T.isNull() || T->isDependentType() || T->containsErrors() || T->isUndeducedType())
    return "";
  return spell(T.getCanonicalType(), Context);
}

std::string opsig::canonicalSpelling(const TemplateDecl &Template) { return uniqueName(Template); }
