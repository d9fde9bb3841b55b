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
CppType valueOf(const ScriptType &Ty, const Dialect &D) {
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
  switch (Ty.Is) {
  case ScriptType::Named: {
    if (Ty.Name == "complex")
      return CppType::named("c10::complex", {CppType::named("double")});
    const auto *Found = find_if(Names, [&](const auto &N) { return N.first == Ty.Name; });
    return Found == std::end(Names) ? CppType() : CppType::named(Found->second.str());
  }
  case ScriptType::List:
    return templateOf("std::vector", {valueOf(Ty.Elements[0], D)});
  case ScriptType::Optional:
    return templateOf(D.Spelling.Optional,
                      {Ty.Elements[0].is("Generator") ? CppType::named("at::Generator")
                                                      : valueOf(Ty.Elements[0], D)});
  case ScriptType::Tuple:
  case ScriptType::Dict: {
    std::vector<CppType> Parts;
    for (const ScriptType &Element : Ty.Elements)
      Parts.push_back(valueOf(Element, D));
    return templateOf(Ty.Is == ScriptType::Dict ? "c10::Dict" : "std::tuple", std::move(Parts));
  }
  default:
    return {};
  }
}

CppType constRef(CppType Type) { return CppType::of(CppType::LeftRef, std::move(Type).constant()); }

CppType paramOf(const ScriptType &Ty, std::optional<int64_t> Size, const Dialect &D) {
  if (Ty.is("Tensor") || Ty.is("Scalar"))
    return constRef(valueOf(Ty, D));
  if (Ty.is("str"))
    return CppType::named("c10::string_view");
  if (Ty.Is == ScriptType::Named)
    return valueOf(Ty, D);
  if (Ty.Is == ScriptType::Optional) {
    const ScriptType &Element = Ty.Elements[0];
    if (Element == ScriptType::list(ScriptType::named("int")))
      return CppType::named("at::OptionalIntArrayRef");
    if (Element == ScriptType::list(ScriptType::named("SymInt")))
      return CppType::named("at::OptionalSymIntArrayRef");
    if (Element.is("str"))
      return templateOf(D.Spelling.Optional, {CppType::named("c10::string_view")});
    CppType Value = valueOf(Ty, D);
    return Element.is("Tensor") || Element.is("Scalar") ? constRef(Value) : Value;
  }
  if (Ty.Is == ScriptType::List) {
    const ScriptType &Element = Ty.Elements[0];
    if (Element.is("Tensor"))
      return CppType::named("at::TensorList");
    if (Element.is("int"))
      return CppType::named("at::IntArrayRef");
    if (Element.is("SymInt"))
      return CppType::named("c10::SymIntArrayRef");
    if (Element.is("bool"))
      return Size ? templateOf("std::array",
                               {CppType::named("bool"), CppType::named(std::to_string(*Size))})
                  : templateOf("c10::List", {CppType::named("bool")});
    CppType Value = valueOf(Element, D);
    if (Element.is("float") || Element.is("Scalar"))
      return templateOf("at::ArrayRef", {Value});
    return constRef(templateOf("c10::List", {Value}));
  }
  return constRef(valueOf(Ty, D));
}

} // namespace

CppType opsig::canonicalCppType(const ScriptType &Ty, std::optional<int64_t> Size, bool IsReturn,
                                const Dialect &D) {
  return IsReturn ? valueOf(Ty, D) : paramOf(Ty, Size, D);
}
