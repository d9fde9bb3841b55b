//===- CType.cpp - C++ types and their text ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

void print(llvm::raw_ostream &OS, CppBase Base, llvm::ArrayRef<CTypeLayer> Layers,
           const Dialect &D) {
  for (const CTypeLayer &Layer : llvm::reverse(Layers)) {
    if (Layer.Is == CTypeLayer::Optional)
      OS << D.Spelling.Optional << '<';
    OS << textOf(Layer.Is).Open;
  }
  OS << spelling(Base);
  for (const CTypeLayer &Layer : Layers) {
    if (Layer.Is == CTypeLayer::Array)
      OS << ',' << Layer.Size;
    OS << textOf(Layer.Is).Close;
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

std::string CType::str(const Dialect &D) const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  print(OS, D);
  return Text;
}

std::string CType::strWithoutRef(const Dialect &D) const {
  llvm::ArrayRef<CTypeLayer> Inner = Layers;
  while (!Inner.empty() && isRef(Inner.back()))
    Inner = Inner.drop_back();
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  opsig::print(OS, Base, Inner, D);
  return Text;
}

void CType::print(llvm::raw_ostream &OS, const Dialect &D) const {
  opsig::print(OS, Base, Layers, D);
}

std::string ReturnCType::str(const Dialect &D) const {
  if (isVoid())
    return spelling(CppBase::Void).str();
  if (!isTuple())
    return Elements.front().str(D);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "::std::tuple<";
  llvm::interleave(Elements, OS, [&](const CType &Element) { Element.print(OS, D); }, ",");
  OS << '>';
  return Text;
}

} // namespace opsig
