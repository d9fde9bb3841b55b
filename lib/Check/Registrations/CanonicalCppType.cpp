//===- CanonicalCppType.cpp - the C++ type that a kernel usually has -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/RegistrationInternal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// \p Template of \p Arguments; unread where one of those is.
CppType templateOf(StringRef Template, std::vector<CppType> Arguments) {
  bool Known = all_of(Arguments, [](const CppType &A) { return A.isRead(); });
  return Known ? CppType::named(Template.str(), std::move(Arguments)) : CppType();
}

/// The type as a value, as it stands inside of others.
CppType valueOf(const Type &Ty, const Dialect &D) {
  static constexpr std::pair<StringLiteral, StringLiteral> Names[] = {
      {"Tensor", "at::Tensor"},   {"int", "int64_t"},
      {"SymInt", "c10::SymInt"},  {"float", "double"},
      {"bool", "bool"},           {"Scalar", "at::Scalar"},
      {"Layout", "at::Layout"},   {"ScalarType", "at::ScalarType"},
      {"QScheme", "at::QScheme"}, {"MemoryFormat", "at::MemoryFormat"},
      {"Device", "at::Device"},   {"Storage", "at::Storage"},
      {"Stream", "at::Stream"},   {"str", "std::string"},
      {"Any", "c10::IValue"},
  };
  if (Ty.isList())
    return templateOf("std::vector", {valueOf(Ty.elem(), D)});
  if (Ty.isOptional())
    return templateOf(
        D.Spelling.Optional,
        {Ty.elem().is("Generator") ? CppType::named("at::Generator") : valueOf(Ty.elem(), D)});
  if (Ty.is("complex"))
    return CppType::named("c10::complex", {CppType::named("double")});
  if (Ty.is(BaseTy::Tuple) || Ty.is(BaseTy::Dict)) {
    std::vector<CppType> Parts;
    for (const Type &Element : Ty.elements())
      Parts.push_back(valueOf(Element, D));
    return templateOf(Ty.is(BaseTy::Dict) ? "c10::Dict" : "std::tuple", std::move(Parts));
  }
  const auto *Found = find_if(Names, [&](const auto &N) { return Ty.is(N.first); });
  return Found == std::end(Names) ? CppType() : CppType::named(Found->second.str());
}

CppType constRef(CppType Type) { return CppType::of(CppType::LeftRef, std::move(Type).constant()); }

CppType paramOf(const Type &Ty, uint32_t Size, const Dialect &D) {
  if (Ty.is("Tensor") || Ty.is("Scalar"))
    return constRef(valueOf(Ty, D));
  if (Ty.is("str"))
    return CppType::named("c10::string_view");
  if (Ty.isOptional()) {
    Type Element = Ty.elem();
    if (Element == Type(BaseTy::Int).list())
      return CppType::named("at::OptionalIntArrayRef");
    if (Element == Type(BaseTy::SymInt).list())
      return CppType::named("at::OptionalSymIntArrayRef");
    if (Element.is("str"))
      return templateOf(D.Spelling.Optional, {CppType::named("c10::string_view")});
    CppType Value = valueOf(Ty, D);
    return Element.is("Tensor") || Element.is("Scalar") ? constRef(Value) : Value;
  }
  if (Ty.isList()) {
    Type Element = Ty.elem();
    if (Element.is("Tensor"))
      return CppType::named("at::TensorList");
    if (Element.is("int"))
      return CppType::named("at::IntArrayRef");
    if (Element.is("SymInt"))
      return CppType::named("c10::SymIntArrayRef");
    if (Element.is("bool"))
      return Size ? templateOf("std::array",
                               {CppType::named("bool"), CppType::named(std::to_string(Size))})
                  : templateOf("c10::List", {CppType::named("bool")});
    CppType Value = valueOf(Element, D);
    if (Element.is("float") || Element.is("Scalar"))
      return templateOf("at::ArrayRef", {Value});
    return constRef(templateOf("c10::List", {Value}));
  }
  bool IsTemplate = Ty.is(BaseTy::Tuple) || Ty.is(BaseTy::Dict);
  return IsTemplate ? constRef(valueOf(Ty, D)) : valueOf(Ty, D);
}

} // namespace

CppType opsig::canonicalCppType(const Type &Ty, uint32_t Size, bool IsReturn, const Dialect &D) {
  return IsReturn ? valueOf(Ty.dispatched(), D) : paramOf(Ty.dispatched(), Size, D);
}
