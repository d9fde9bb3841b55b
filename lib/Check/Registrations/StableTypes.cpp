//===- StableTypes.cpp - C++ types as TORCH_BOX of the stable ABI takes them --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values come as 64 bits each, and what they are is up to the kernel's types alone: nothing
// compares these with the schema, neither when the library is loaded nor in the call.
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace llvm;

namespace {

/// No type of the schema language.
constexpr StringLiteral ThirtyTwoBits = "int32_t", OtherBytes = "other bytes";

InferredType known(Type Ty) { return InferredType::known(std::move(Ty)); }

/// Enumerations and classes have moved from c10 to torch::headeronly and have a namespace of their
/// own in torch::stable.
const char *classOf(StringRef Name) {
  if (!Name.consume_front("torch::headeronly::") && !Name.consume_front("c10::") &&
      !Name.consume_front("torch::stable::"))
    return nullptr;
  return StringSwitch<const char *>(Name)
      .Case("Tensor", "Tensor")
      .Case("ScalarType", "ScalarType")
      .Case("Layout", "Layout")
      .Case("MemoryFormat", "MemoryFormat")
      .Case("Device", "Device")
      .Case("Generator", "Generator")
      .Default(nullptr);
}

bool isView(const CppType &T) {
  return T.isTemplate("torch::headeronly::HeaderOnlyArrayRef") ||
         T.isTemplate("c10::HeaderOnlyArrayRef");
}

InferredType refused(std::string Why, StringRef Instead = "", Span Bad = {}) {
  CppType Known = Instead.empty() ? CppType() : CppType::named(Instead.str());
  return InferredType::refused(std::move(Why), std::move(Known), Bad);
}

/// Classes that cannot be copied byte by byte, as everything is that has no conversion of its own.
const char *strangeClass(StringRef Name) {
  static constexpr std::pair<StringLiteral, const char *> Classes[] = {
      {"at::Tensor", "torch::stable::Tensor"},
      {"at::Generator", "torch::stable::Generator"},
      {"c10::Scalar", "double"},
      {"c10::SymInt", "int64_t"},
      {"c10::Storage", ""},
      {"std::map", ""},
      {"std::unordered_map", ""},
      {"std::set", ""},
      {"std::unordered_set", ""},
      {"std::pair", ""},
      {"std::tuple", ""},
      {"std::list", "std::vector"},
      {"std::deque", "std::vector"},
      {"std::unique_ptr", ""},
      {"std::shared_ptr", ""},
  };
  const auto *Found = find_if(Classes, [&](const auto &C) { return C.first == Name; });
  return Found == std::end(Classes) ? nullptr : Found->second;
}

/// Copied as numbers, though no schema has a type that these would be numbers of: codes of devices
/// and tags, floating types that are no argument.
bool isOfNoSchema(StringRef Name) {
  return (Name.consume_front("torch::headeronly::") || Name.consume_front("c10::") ||
          Name.consume_front("at::")) &&
         StringSwitch<bool>(Name)
             .Cases({"DeviceType", "Tag", "Half", "BFloat16"}, true)
             .Default(false);
}

/// How many bytes of the types that are copied as they are; 0 for those not known here.
uint64_t sizeOf(const CppType &T) {
  uint64_t Count = 0;
  if (T.isTemplate("std::array", 2) && !StringRef(T.Args[1].Name).getAsInteger(10, Count))
    return Count * sizeOf(T.Args[0]);
  if (T.isTemplate("std::complex") || T.isTemplate("c10::complex"))
    return 2 * sizeOf(T.Args[0]);
  if (T.Is != CppType::Named || !T.Args.empty())
    return T.Name == "std::basic_string_view" ? 16 : 0;
  return StringSwitch<uint64_t>(T.Name)
      .Cases({"bool", "char", "signed char", "unsigned char"}, 1)
      .Cases({"short", "unsigned short"}, 2)
      .Cases({"int", "unsigned int", "float"}, 4)
      .Cases({"long", "unsigned long", "long long", "unsigned long long", "double"}, 8)
      .Cases({"long double", "__int128"}, 16)
      .Default(0);
}

/// The view that \p T is or is made of.
const CppType *findView(const CppType &T) {
  if (isView(T))
    return &T;
  for (const CppType &A : T.arguments())
    if (const CppType *Found = findView(A))
      return Found;
  return nullptr;
}

} // namespace

InferredType TypeInference::stableParam(const CppType &Declared) const {
  if (Declared.Is == CppType::RightRef)
    return refused("TORCH_BOX passes lvalues, which cannot bind to '&&'");
  const CppType &T = Declared.referee();
  // A view is made of a vector that lives as long as the call, which only outermost ones have.
  const CppType &Outer = T.isTemplate("std::optional") ? T.Args.front() : T;
  for (const CppType &Part : Outer.arguments())
    if (const CppType *View = findView(Part))
      return refused(
          "a HeaderOnlyArrayRef can be a parameter or an optional parameter, but not part of "
          "another type",
          "std::vector", View->At);
  if (isView(Outer) && Outer.Args.front().is("bool"))
    return refused("a HeaderOnlyArrayRef cannot refer to a vector of bool, which packs its "
                   "elements into bits",
                   "std::vector<bool>");
  return stable(T);
}

InferredType TypeInference::stableReturn(const CppType &Declared) const {
  if (Declared.isRef())
    return refused("TORCH_BOX cannot return references", "",
                   Declared.referee().Const ? Span() : Declared.At);
  if (Declared.Const && Declared.Is == CppType::Named)
    return refused("a returned value cannot be const");
  if (sizeOf(Declared) > 8) {
    bool View = Declared.Name == "std::basic_string_view";
    return refused("TORCH_BOX copies only 64 bits of an unknown type, but this type is larger",
                   View ? "std::string" : "", View ? Declared.At : Span());
  }
  return stable(Declared);
}

InferredType TypeInference::stable(const CppType &T) const {
  if (T.Is == CppType::Pointer)
    return {}; // handles
  bool IsOptional = T.isTemplate("std::optional");
  if (IsOptional || T.isTemplate("std::vector") || isView(T)) {
    // Only what is a parameter by itself is given the characters; elsewhere the bytes are copied.
    InferredType Element = T.Args.front().Name == "std::basic_string_view"
                               ? known(Type::variable(OtherBytes))
                               : stable(T.Args.front());
    if (Element.Is == InferredType::Known)
      Element.Ty = IsOptional ? Element.Ty.optional() : Element.Ty.list();
    return Element;
  }
  if (T.Name == "std::basic_string" || T.Name == "std::basic_string_view")
    return known(BaseTy::Str);
  if (const char *Instead = strangeClass(T.Name))
    return refused("an operator of the stable ABI cannot take or return '" + T.Name + "'", Instead,
                   *Instead ? T.At : Span());
  if (T.Name == "std::array" || T.Name == "std::complex" || T.Name == "c10::complex")
    return known(Type::variable(OtherBytes));
  if (!T.Args.empty())
    return {};
  if (isOfNoSchema(T.Name))
    return known(Type::variable(OtherBytes));
  if (const char *Name = classOf(T.Name))
    return known(Type::named(Name));
  if (isInt64(T))
    return known(BaseTy::Int);
  StringRef Name = StringSwitch<StringRef>(T.Name)
                       .Case("bool", "bool")
                       .Case("double", "float")
                       .Case("long long", "int")
                       .Default("");
  if (!Name.empty())
    return known(Type::named(Name));
  Name = StringSwitch<StringRef>(T.Name)
             .Case("int", ThirtyTwoBits)
             .Cases({"float", "short", "char", "signed char", "unsigned char", "unsigned short",
                     "unsigned int"},
                    OtherBytes)
             .Default("");
  return Name.empty() ? InferredType() : known(Type::variable(Name));
}

bool TypeInference::fits(const Type &Got, const Type &Want) {
  // Before there were enumerations for them in the stable ABI, their numbers were taken.
  if (Got.innermost() == Type::variable(ThirtyTwoBits))
    return Got.suffixes() == Want.suffixes() &&
           is_contained({BaseTy::ScalarType, BaseTy::Layout, BaseTy::MemoryFormat}, Want.base());
  return Got == Want;
}

CppType opsig::canonicalStableCppType(const Type &Ty) {
  if (!Ty.isBase()) {
    CppType Element = canonicalStableCppType(Ty.elem()).decayed();
    return Element.isRead()
               ? CppType::named(Ty.isOptional() ? "std::optional" : "std::vector", {Element})
               : CppType();
  }
  auto ConstRef = [](const char *Name) {
    return CppType::of(CppType::LeftRef, CppType::named(Name).constant());
  };
  return StringSwitch<CppType>(toString(Ty.base()))
      .Case("Tensor", ConstRef("torch::stable::Tensor"))
      .Case("int", CppType::named("int64_t"))
      .Case("float", CppType::named("double"))
      .Case("bool", CppType::named("bool"))
      .Case("str", CppType::named("std::string"))
      .Case("Device", CppType::named("torch::stable::Device"))
      .Case("ScalarType", CppType::named("torch::headeronly::ScalarType"))
      .Case("Layout", CppType::named("torch::headeronly::Layout"))
      .Case("MemoryFormat", CppType::named("torch::headeronly::MemoryFormat"))
      .Case("Generator", ConstRef("torch::stable::Generator"))
      .Default({});
}
