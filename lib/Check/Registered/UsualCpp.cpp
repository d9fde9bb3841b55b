//===- UsualCpp.cpp - the C++ type that a kernel usually has ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registered/RegistrationInternal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// The type as a value, as it stands inside of others.
std::string valueOf(const ScriptType &Ty, const Dialect &D) {
  static constexpr std::pair<StringLiteral, StringLiteral> Names[] = {
      {"Tensor", "at::Tensor"},   {"int", "int64_t"},
      {"SymInt", "c10::SymInt"},  {"float", "double"},
      {"bool", "bool"},           {"complex", "c10::complex<double>"},
      {"Scalar", "at::Scalar"},   {"ScalarType", "at::ScalarType"},
      {"Layout", "at::Layout"},   {"MemoryFormat", "at::MemoryFormat"},
      {"QScheme", "at::QScheme"}, {"Device", "at::Device"},
      {"Storage", "at::Storage"}, {"Stream", "at::Stream"},
      {"str", "std::string"},     {"Any", "c10::IValue"},
  };
  switch (Ty.Is) {
  case ScriptType::Named: {
    const auto *Found = find_if(Names, [&](const auto &N) { return N.first == Ty.Name; });
    return Found == std::end(Names) ? "" : Found->second.str();
  }
  case ScriptType::List: {
    std::string Element = valueOf(Ty.Elements[0], D);
    return Element.empty() ? "" : "std::vector<" + Element + ">";
  }
  case ScriptType::Optional: {
    if (Ty.Elements[0].is("Generator"))
      return (D.Spelling.Optional + "<at::Generator>").str();
    std::string Element = valueOf(Ty.Elements[0], D);
    return Element.empty() ? "" : (D.Spelling.Optional + "<" + Element + ">").str();
  }
  case ScriptType::Tuple:
  case ScriptType::Dict: {
    std::vector<std::string> Parts;
    for (const ScriptType &Element : Ty.Elements) {
      Parts.push_back(valueOf(Element, D));
      if (Parts.back().empty())
        return "";
    }
    return (Ty.Is == ScriptType::Dict ? "c10::Dict<" : "std::tuple<") + join(Parts, ", ") + ">";
  }
  default:
    return "";
  }
}

std::string constRef(std::string Type) { return Type.empty() ? "" : "const " + Type + " &"; }

std::string paramOf(const ScriptType &Ty, std::optional<int64_t> Size, const Dialect &D) {
  if (Ty.is("Tensor") || Ty.is("Scalar"))
    return constRef(valueOf(Ty, D));
  if (Ty.is("str"))
    return "c10::string_view";
  if (Ty.Is == ScriptType::Named)
    return valueOf(Ty, D);
  if (Ty.Is == ScriptType::Optional) {
    const ScriptType &Element = Ty.Elements[0];
    if (Element == ScriptType::list(ScriptType::named("int")))
      return "at::OptionalIntArrayRef";
    if (Element == ScriptType::list(ScriptType::named("SymInt")))
      return "at::OptionalSymIntArrayRef";
    if (Element.is("str"))
      return (D.Spelling.Optional + "<c10::string_view>").str();
    std::string Value = valueOf(Ty, D);
    return Element.is("Tensor") || Element.is("Scalar") ? constRef(Value) : Value;
  }
  if (Ty.Is == ScriptType::List) {
    const ScriptType &Element = Ty.Elements[0];
    if (Element.is("Tensor"))
      return "at::TensorList";
    if (Element.is("int"))
      return "at::IntArrayRef";
    if (Element.is("SymInt"))
      return "c10::SymIntArrayRef";
    if (Element.is("bool"))
      return Size ? "std::array<bool," + std::to_string(*Size) + ">" : "c10::List<bool>";
    std::string Value = valueOf(Element, D);
    if (Value.empty())
      return "";
    if (Element.is("float") || Element.is("Scalar"))
      return "at::ArrayRef<" + Value + ">";
    return constRef("c10::List<" + Value + ">");
  }
  return constRef(valueOf(Ty, D));
}

} // namespace

std::string opsig::usualCpp(const ScriptType &Ty, std::optional<int64_t> Size, bool IsReturn,
                            const Dialect &D) {
  return IsReturn ? valueOf(Ty, D) : paramOf(Ty, Size, D);
}
