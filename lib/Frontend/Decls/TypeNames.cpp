//===- TypeNames.cpp - canonical spellings of wanted types ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Frontend/TypeNames.h"

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

namespace {

/// Makes trees of types, with names out of one source.
struct TreeMaker {
  function_ref<CppType(CppBase)> Base;
  /// "" for a template that is not known.
  function_ref<std::string(CppTemplate)> Template;

  CppType make(const CType &T) const;
  CppType make(const ReturnCType &T) const;
};

CppType TreeMaker::make(const CType &T) const {
  CppType Out = Base(T.base());
  for (const CTypeLayer &Layer : T.layers()) {
    if (!Out.isRead())
      break;
    if (std::optional<CppTemplate> Is = templateOf(Layer.Is)) {
      std::string Name = Template(*Is);
      if (Name.empty())
        return {};
      Out = CppType::named(std::move(Name), {std::move(Out)});
      if (Layer.Is == CTypeLayer::Array)
        Out.Args.push_back(CppType::named(std::to_string(Layer.Size)));
    } else {
      Out.Const |= Layer.Is == CTypeLayer::ConstRef;
      Out = CppType::of(CppType::LeftRef, std::move(Out));
    }
  }
  return Out;
}

CppType TreeMaker::make(const ReturnCType &T) const {
  if (T.isVoid())
    return CppType::named("void");
  if (!T.isTuple())
    return make(T.Elements.front());
  CppType Tuple = CppType::named(Template(CppTemplate::Tuple));
  if (Tuple.Name.empty())
    return {};
  for (const CType &Element : T.Elements) {
    Tuple.Args.push_back(make(Element));
    if (!Tuple.Args.back().isRead())
      return {};
  }
  return Tuple;
}

template <typename Type> CppType canonicalTree(const Type &T, const TypeNames &Names) {
  return TreeMaker{[&](CppBase Base) { return Names.Bases[unsigned(Base)]; },
                   [&](CppTemplate Is) { return Names.Templates[unsigned(Is)]; }}
      .make(T);
}

template <typename Type> CppType spelledTree(const Type &T, const Dialect &D) {
  return TreeMaker{[](CppBase Base) { return CppType::named(spelling(Base).str()); },
                   [&](CppTemplate Is) {
                     if (Is == CppTemplate::Optional)
                       return D.Spelling.Optional.str();
                     // Of the standard library's, generated code names the outermost namespace.
                     StringRef Name = templateNames(Is).front();
                     return ((Name.starts_with("std::") ? "::" : "") + Name).str();
                   }}
      .make(T);
}

} // namespace

CppType TypeNames::canonical(const CType &T) const { return canonicalTree(T, *this); }
CppType TypeNames::canonical(const ReturnCType &T) const { return canonicalTree(T, *this); }

CppType opsig::spelled(const CType &T, const Dialect &D) { return spelledTree(T, D); }
CppType opsig::spelled(const ReturnCType &T, const Dialect &D) { return spelledTree(T, D); }

static bool sameOrUnread(const CppType &Want, const CppType &Found) {
  return !Want.isRead() || !Found.isRead() || Want == Found;
}

bool TypeNames::same(const CType &Want, const CppType &Found) const {
  return sameOrUnread(canonical(Want), Found);
}

bool TypeNames::same(const ReturnCType &Want, const CppType &Found) const {
  return sameOrUnread(canonical(Want), Found);
}
