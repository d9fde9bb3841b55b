//===- CType.h - C++ types of signatures ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// schema Type (x convention, Lowering) => CType => text in the dialect's spelling
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SIGNATURE_CTYPE_H
#define OPSIG_SIGNATURE_CTYPE_H

#include "opsig/Dialect/Dialect.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace opsig {

enum class CppBase : uint8_t {
#define OPSIG_CPP_BASE(Name, Namespace, Spelling) Name,
#include "opsig/Signature/CppBases.def"
};

/// "at::Tensor", "int64_t".
llvm::StringRef spelling(CppBase Base);
/// "at" and "Tensor" of "at::Tensor"; "" without a namespace.
llvm::StringRef namespaceOf(CppBase Base);
llvm::StringRef unqualified(CppBase Base);

/// One layer around a C++ type.
struct CTypeLayer {
  enum Kind : uint8_t { ConstRef, MutRef, Optional, List, ArrayRef, Vector, Array, Vectorized } Is;
  uint32_t Size = 0; ///< of an Array
  friend bool operator==(const CTypeLayer &, const CTypeLayer &) = default;
};

/// A base type in layers, from the innermost to the outermost: `const c10::optional<at::Tensor> &`
/// is Tensor in [Optional, ConstRef].
class CType {
public:
  CType() = default;
  CType(CppBase Base) : Base(Base) {}

  CType in(CTypeLayer::Kind Kind, uint32_t Size = 0) const;
  CType constRef() const { return in(CTypeLayer::ConstRef); }
  CType mutRef() const { return in(CTypeLayer::MutRef); }
  CType optional() const { return in(CTypeLayer::Optional); }
  CType list() const { return in(CTypeLayer::List); }
  CType arrayRef() const { return in(CTypeLayer::ArrayRef); }
  CType vector() const { return in(CTypeLayer::Vector); }

  CppBase base() const { return Base; }
  llvm::ArrayRef<CTypeLayer> layers() const { return Layers; }
  bool is(CppBase B) const { return Layers.empty() && Base == B; }
  /// Whether the outermost layer is of that kind.
  bool isA(CTypeLayer::Kind Kind) const { return !Layers.empty() && Layers.back().Is == Kind; }
  CType elem() const; ///< without the outermost layer
  /// Without references, at every depth.
  CType withoutRefs() const;

  std::string str(const Dialect &D) const;
  /// str() without the outermost reference (torchgen: cpp_type(strip_ref=True)).
  std::string strWithoutRef(const Dialect &D) const;
  void print(llvm::raw_ostream &OS, const Dialect &D) const;
  friend bool operator==(const CType &, const CType &) = default;

private:
  CppBase Base = CppBase::Void;
  llvm::SmallVector<CTypeLayer, 3> Layers;
};

/// What a function returns: nothing (void), one type, or a tuple of them.
struct ReturnCType {
  llvm::SmallVector<CType, 1> Elements;
  bool isVoid() const { return Elements.empty(); }
  bool isTuple() const { return Elements.size() > 1; }
  std::string str(const Dialect &D) const; ///< "::std::tuple<at::Tensor,at::Tensor>"
  friend bool operator==(const ReturnCType &, const ReturnCType &) = default;
};

/// What a value stands for, besides its type: translate never fills one name's place with another.
struct NamedCType {
  std::string Name;
  /// The memory format of a function that takes tensor options, too, which hold a format of their
  /// own.
  bool PossiblyRedundantMemoryFormat = false;
  CType Ty;
  friend bool operator==(const NamedCType &, const NamedCType &) = default;
};

} // namespace opsig

#endif
