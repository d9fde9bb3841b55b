//===- Type.cpp - Types of the schema language -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Schema/Type.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

static constexpr llvm::StringLiteral Spellings[] = {
#define OPSIG_BASE_TYPE(Name, Spelling) Spelling,
#include "opsig/Schema/BaseTypes.def"
    "", // CustomClass
#define OPSIG_SCRIPT_TYPE(Name, Spelling) Spelling,
#include "opsig/Schema/BaseTypes.def"
    "", // Variable
};

llvm::StringRef toString(BaseTy Ty) { return Spellings[unsigned(Ty)]; }

std::optional<BaseTy> parseBaseTy(llvm::StringRef Name) {
  for (unsigned I = 0; I != unsigned(BaseTy::CustomClass); ++I)
    if (Name == Spellings[I])
      return BaseTy(I);
  return std::nullopt;
}

Type Type::customClass(llvm::StringRef Name, llvm::ArrayRef<TypeSuffix> Suffixes) {
  Type T(BaseTy::CustomClass, Suffixes);
  T.Name = Name.str();
  return T;
}

Type Type::variable(llvm::StringRef Name) {
  Type T(BaseTy::Variable);
  T.Name = Name.str();
  return T;
}

Type Type::named(llvm::StringRef Spelling) {
  return BaseTy(llvm::find(Spellings, Spelling) - std::begin(Spellings));
}

Type Type::of(BaseTy Base, std::vector<Type> Elements) {
  Type T(Base);
  T.Elements = std::move(Elements);
  return T;
}

Type Type::optional() const {
  Type T = *this;
  T.wrap({TypeSuffix::Optional, 0});
  return T;
}

Type Type::list(uint32_t Size) const {
  Type T = *this;
  T.wrap({TypeSuffix::List, Size});
  return T;
}

bool Type::isOptional() const {
  return !Suffixes.empty() && Suffixes.back().Is == TypeSuffix::Optional;
}

bool Type::isList() const { return !Suffixes.empty() && Suffixes.back().Is == TypeSuffix::List; }

uint32_t Type::listSize() const {
  auto List =
      llvm::find_if(llvm::reverse(Suffixes), [](TypeSuffix S) { return S.Is == TypeSuffix::List; });
  return List == Suffixes.rend() ? 0 : List->Size;
}

Type Type::elem() const {
  Type T = *this;
  T.Suffixes.pop_back();
  return T;
}

Type Type::innermost() const {
  Type T = *this;
  T.Suffixes.clear();
  return T;
}

Type Type::dispatched() const {
  Type T = *this;
  if (Base == BaseTy::Dimname)
    T.Base = BaseTy::Str;
  if (Base == BaseTy::ConstQuantizerPtr || Base == BaseTy::DeviceIndex)
    T.Base = BaseTy::Int;
  for (TypeSuffix &Suffix : T.Suffixes)
    Suffix.Size = 0;
  for (Type &Element : T.Elements)
    Element = Element.dispatched();
  return T;
}

Type Type::withoutSymInt() const {
  Type T = *this;
  if (Base == BaseTy::SymInt)
    T.Base = BaseTy::Int;
  for (Type &Element : T.Elements)
    Element = Element.withoutSymInt();
  return T;
}

bool Type::isNullable() const {
  return llvm::any_of(Suffixes, [](TypeSuffix S) { return S.Is == TypeSuffix::Optional; });
}

std::optional<Type> Type::listLike() const {
  Type T = *this;
  while (T.isOptional())
    T.Suffixes.pop_back();
  if (T.isList())
    return T;
  return std::nullopt;
}

std::string Type::str() const {
  std::string Out;
  if (Base == BaseTy::CustomClass)
    Out += "__torch__.torch.classes.";
  Out += Name;
  Out += toString(Base);
  if (Base == BaseTy::Tuple || !Elements.empty()) {
    Out += '(';
    Out += llvm::join(llvm::map_range(Elements, [](const Type &T) { return T.str(); }), ", ");
    Out += ')';
  }
  for (TypeSuffix Suffix : Suffixes) {
    if (Suffix.Is == TypeSuffix::Optional) {
      Out += '?';
      continue;
    }
    Out += '[';
    if (Suffix.Size)
      Out += llvm::utostr(Suffix.Size);
    Out += ']';
  }
  return Out;
}

llvm::hash_code hash_value(const Type &T) {
  llvm::hash_code Hash = llvm::hash_combine(unsigned(T.Base), T.Name);
  for (const Type &Element : T.Elements)
    Hash = llvm::hash_combine(Hash, Element);
  for (TypeSuffix S : T.Suffixes)
    Hash = llvm::hash_combine(Hash, unsigned(S.Is), S.Size);
  return Hash;
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const Type &T) { return OS << T.str(); }

} // namespace opsig
