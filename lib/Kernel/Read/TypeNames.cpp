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

CppType TypeNames::canonical(const CType &T) const {
  CppType Out = Bases[unsigned(T.base())];
  for (const CTypeLayer &Layer : T.layers()) {
    if (!Out.isRead())
      break;
    if (std::optional<CppTemplate> Template = templateOf(Layer.Is)) {
      const std::string &Name = Templates[unsigned(*Template)];
      if (Name.empty())
        return {};
      Out = CppType::named(Name, {std::move(Out)});
      if (Layer.Is == CTypeLayer::Array)
        Out.Args.push_back(CppType::named(std::to_string(Layer.Size)));
    } else {
      Out.Const |= Layer.Is == CTypeLayer::ConstRef;
      Out = CppType::of(CppType::LeftRef, std::move(Out));
    }
  }
  return Out;
}

CppType TypeNames::canonical(const ReturnCType &T) const {
  if (T.isVoid())
    return CppType::named("void");
  if (!T.isTuple())
    return canonical(T.Elements.front());
  CppType Tuple = CppType::named(Templates[unsigned(CppTemplate::Tuple)]);
  if (Tuple.Name.empty())
    return {};
  for (const CType &Element : T.Elements) {
    Tuple.Args.push_back(canonical(Element));
    if (!Tuple.Args.back().isRead())
      return {};
  }
  return Tuple;
}

static bool sameOrUnread(const CppType &Want, const CppType &Found) {
  return !Want.isRead() || !Found.isRead() || Want == Found;
}

bool TypeNames::same(const CType &Want, const CppType &Found) const {
  return sameOrUnread(canonical(Want), Found);
}

bool TypeNames::same(const ReturnCType &Want, const CppType &Found) const {
  return sameOrUnread(canonical(Want), Found);
}
