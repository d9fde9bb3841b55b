//===- CType.cpp - C++ types and their text ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TextInternal.h"
#include "opsig/Signature/CType.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

namespace {

struct BaseSpelling {
  llvm::StringLiteral Namespace;
  llvm::StringLiteral Unqualified;
  /// With "::" in front where there is no namespace.
  llvm::StringLiteral Joined;
};

constexpr BaseSpelling Bases[] = {
#define OPSIG_CPP_BASE(Name, Namespace, Spelling) {Namespace, Spelling, Namespace "::" Spelling},
#include "opsig/Signature/CppBases.def"
};

const BaseSpelling &find(CppBase Base) { return Bases[unsigned(Base)]; }

/// What stands before and after the type that a layer is around.
struct LayerText {
  llvm::StringRef Open;
  llvm::StringRef Close;
};

LayerText textOf(CTypeLayer::Kind Kind) {
  switch (Kind) {
  case CTypeLayer::ConstRef:
    return {"const ", " &"};
  case CTypeLayer::MutRef:
    return {"", " &"};
  case CTypeLayer::Optional:
    return {"", ">"}; // The dialect spells the template's name.
  case CTypeLayer::List:
    return {"c10::List<", ">"};
  case CTypeLayer::ArrayRef:
    return {"at::ArrayRef<", ">"};
  case CTypeLayer::Vector:
    return {"::std::vector<", ">"};
  case CTypeLayer::Array:
    return {"::std::array<", ">"};
  case CTypeLayer::Vectorized:
    return {"at::vec::Vectorized<", ">"};
  }
  llvm_unreachable("all kinds of layers are handled");
}

bool isRef(const CTypeLayer &Layer) {
  return Layer.Is == CTypeLayer::ConstRef || Layer.Is == CTypeLayer::MutRef;
}

void append(std::string &Text, CppBase Base, llvm::ArrayRef<CTypeLayer> Layers, const Dialect &D) {
  for (const CTypeLayer &Layer : llvm::reverse(Layers)) {
    if (Layer.Is == CTypeLayer::Optional)
      (Text += D.Spelling.Optional) += '<';
    Text += textOf(Layer.Is).Open;
  }
  Text += spelling(Base);
  for (const CTypeLayer &Layer : Layers) {
    if (Layer.Is == CTypeLayer::Array)
      (Text += ',') += std::to_string(Layer.Size);
    Text += textOf(Layer.Is).Close;
  }
}

} // namespace

llvm::StringRef spelling(CppBase Base) {
  llvm::StringRef Joined = find(Base).Joined;
  return namespaceOf(Base).empty() ? Joined.drop_front(2) : Joined;
}

llvm::StringRef namespaceOf(CppBase Base) { return find(Base).Namespace; }
llvm::StringRef unqualified(CppBase Base) { return find(Base).Unqualified; }

CType CType::in(CTypeLayer::Kind Kind, uint32_t Size) const {
  CType Result = *this;
  Result.Layers.push_back({Kind, Size});
  return Result;
}

CType CType::elem() const {
  CType Result = *this;
  Result.Layers.pop_back();
  return Result;
}

CType CType::withoutRefs() const {
  CType Result(Base);
  llvm::copy_if(Layers, std::back_inserter(Result.Layers),
                [](const CTypeLayer &Layer) { return !isRef(Layer); });
  return Result;
}

void append(std::string &Text, const CType &Ty, const Dialect &D) {
  append(Text, Ty.base(), Ty.layers(), D);
}

void append(std::string &Text, const ReturnCType &Ty, const Dialect &D) {
  if (Ty.isVoid()) {
    Text += spelling(CppBase::Void);
    return;
  }
  if (!Ty.isTuple())
    return append(Text, Ty.Elements.front(), D);
  Text += "::std::tuple<";
  for (const CType &Element : Ty.Elements) {
    append(Text, Element, D);
    Text += &Element == &Ty.Elements.back() ? '>' : ',';
  }
}

std::string CType::str(const Dialect &D) const {
  std::string Text;
  append(Text, *this, D);
  return Text;
}

std::string CType::strWithoutRef(const Dialect &D) const {
  llvm::ArrayRef<CTypeLayer> Inner = Layers;
  while (!Inner.empty() && isRef(Inner.back()))
    Inner = Inner.drop_back();
  std::string Text;
  append(Text, Base, Inner, D);
  return Text;
}

void CType::print(llvm::raw_ostream &OS, const Dialect &D) const { OS << str(D); }

std::string ReturnCType::str(const Dialect &D) const {
  std::string Text;
  append(Text, *this, D);
  return Text;
}

} // namespace opsig
