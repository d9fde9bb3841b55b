//===- TypeNames.cpp - canonical spellings of wanted types ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Kernel/TypeNames.h"

using namespace opsig;
using namespace llvm;

ArrayRef<StringLiteral> opsig::templateNames(CppTemplate T) {
  static constexpr StringLiteral Optional[] = {"c10::optional", "std::optional"};
  static constexpr StringLiteral List[] = {"c10::List"};
  static constexpr StringLiteral ArrayRef[] = {"at::ArrayRef", "c10::ArrayRef"};
  static constexpr StringLiteral Vector[] = {"std::vector"};
  static constexpr StringLiteral Array[] = {"std::array"};
  static constexpr StringLiteral Vectorized[] = {"at::vec::Vectorized"};
  static constexpr StringLiteral Tuple[] = {"std::tuple"};
  switch (T) {
  case CppTemplate::Optional:
    return Optional;
  case CppTemplate::List:
    return List;
  case CppTemplate::ArrayRef:
    return ArrayRef;
  case CppTemplate::Vector:
    return Vector;
  case CppTemplate::Array:
    return Array;
  case CppTemplate::Vectorized:
    return Vectorized;
  case CppTemplate::Tuple:
    return Tuple;
  }
  llvm_unreachable("closed kind");
}

static std::optional<CppTemplate> templateOf(CTypeLayer::Kind Kind) {
  switch (Kind) {
  case CTypeLayer::Optional:
    return CppTemplate::Optional;
  case CTypeLayer::List:
    return CppTemplate::List;
  case CTypeLayer::ArrayRef:
    return CppTemplate::ArrayRef;
  case CTypeLayer::Vector:
    return CppTemplate::Vector;
  case CTypeLayer::Array:
    return CppTemplate::Array;
  case CTypeLayer::Vectorized:
    return CppTemplate::Vectorized;
  case CTypeLayer::ConstRef:
  case CTypeLayer::MutRef:
    return std::nullopt;
  }
  llvm_unreachable("closed kind");
}

std::string TypeNames::canonical(const CType &T) const {
  std::string Text = Bases[unsigned(T.base())];
  for (const CTypeLayer &Layer : T.layers()) {
    if (Text.empty())
      break;
    if (std::optional<CppTemplate> Template = templateOf(Layer.Is)) {
      const std::string &Name = Templates[unsigned(*Template)];
      if (Name.empty())
        return "";
      std::string Size = Layer.Is == CTypeLayer::Array ? "," + std::to_string(Layer.Size) : "";
      Text = Name + "<" + Text + Size + ">";
    } else {
      Text += Layer.Is == CTypeLayer::ConstRef ? " const&" : "&";
    }
  }
  return Text;
}

std::string TypeNames::canonical(const ReturnCType &T) const {
  if (T.isVoid())
    return "void";
  if (!T.isTuple())
    return canonical(T.Elements.front());
  const std::string &Tuple = Templates[unsigned(CppTemplate::Tuple)];
  if (Tuple.empty())
    return "";
  std::string Text;
  for (const CType &Element : T.Elements) {
    std::string One = canonical(Element);
    if (One.empty())
      return "";
    Text += (Text.empty() ? "" : ",") + One;
  }
  return Tuple + "<" + Text + ">";
}

bool TypeNames::same(const CType &Want, StringRef Found) const {
  std::string Wanted = canonical(Want);
  return Wanted.empty() || Found.empty() || Wanted == Found;
}

bool TypeNames::same(const ReturnCType &Want, StringRef Found) const {
  std::string Wanted = canonical(Want);
  return Wanted.empty() || Found.empty() || Wanted == Found;
}
