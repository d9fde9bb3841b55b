//===- StableTypes.cpp - C++ types as TORCH_BOX of the stable ABI takes them --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values come as 64 bits each, and what they are is up to the kernel's types alone: nothing
// compares these with the schema, neither when the library is loaded nor in the call.
//
//===----------------------------------------------------------------------===//
#include "Registered/RegistrationInternal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace llvm;

namespace {

/// No type of the schema language.
constexpr StringLiteral ThirtyTwoBits = "int32_t", OtherNumber = "another number";

InferredType known(ScriptType Ty) { return {InferredType::Known, std::move(Ty), "", "", ""}; }

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
      .Default(nullptr);
}

bool isView(const CppSpelling &T) {
  return T.isTemplate("torch::headeronly::HeaderOnlyArrayRef") ||
         T.isTemplate("c10::HeaderOnlyArrayRef");
}

} // namespace

InferredType TypeInference::stable(const CppSpelling &T) const {
  if (T.Pointers != 0)
    return {}; // handles
  bool IsOptional = T.isTemplate("std::optional");
  if (IsOptional || T.isTemplate("std::vector") || isView(T)) {
    InferredType Element = stable(T.Args.front());
    if (Element.Is == InferredType::Known)
      Element.Ty = IsOptional ? ScriptType::optional(std::move(Element.Ty))
                              : ScriptType::list(std::move(Element.Ty));
    return Element;
  }
  if (T.Name == "std::basic_string" || T.Name == "std::basic_string_view")
    return known(ScriptType::named("str"));
  if (!T.Args.empty())
    return {};
  if (const char *Name = classOf(T.Name))
    return known(ScriptType::named(Name));
  if (isInt64(T))
    return known(ScriptType::named("int"));
  StringRef Name = StringSwitch<StringRef>(T.Name)
                       .Case("bool", "bool")
                       .Case("double", "float")
                       .Case("long long", "int")
                       .Case("int", ThirtyTwoBits)
                       .Cases({"float", "short", "char", "signed char", "unsigned char",
                               "unsigned short", "unsigned int"},
                              OtherNumber)
                       .Default("");
  return Name.empty() ? InferredType() : known(ScriptType::named(Name));
}

bool TypeInference::fits(const ScriptType &Got, const ScriptType &Want) {
  // Before there were enumerations for them in the stable ABI, their numbers were taken.
  if (Got.is(ThirtyTwoBits))
    return Want.is("ScalarType") || Want.is("Layout") || Want.is("MemoryFormat");
  if (Got.Is == Want.Is && Got.Elements.size() == 1 && Want.Elements.size() == 1)
    return fits(Got.Elements[0], Want.Elements[0]);
  return Got == Want;
}

std::string opsig::usualStableCpp(const ScriptType &Ty) {
  if (Ty.Is == ScriptType::Optional || Ty.Is == ScriptType::List) {
    std::string Element = usualStableCpp(Ty.Elements[0]);
    StringRef Value = Element;
    if (Value.consume_front("const "))
      Value.consume_back(" &");
    bool IsOptional = Ty.Is == ScriptType::Optional;
    return Element.empty() ? ""
                           : ((IsOptional ? "std::optional<" : "std::vector<") + Value + ">").str();
  }
  return StringSwitch<std::string>(Ty.Is == ScriptType::Named ? Ty.Name : "")
      .Case("Tensor", "const torch::stable::Tensor &")
      .Case("int", "int64_t")
      .Case("float", "double")
      .Case("bool", "bool")
      .Case("str", "std::string")
      .Case("Device", "torch::stable::Device")
      .Case("ScalarType", "torch::headeronly::ScalarType")
      .Case("Layout", "torch::headeronly::Layout")
      .Case("MemoryFormat", "torch::headeronly::MemoryFormat")
      .Default("");
}
