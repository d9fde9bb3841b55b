//===- SpellingTraits.h - How a release spells C++ ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_DIALECT_SPELLINGTRAITS_H
#define OPSIG_DIALECT_SPELLINGTRAITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace opsig {

/// Spellings of types, defaults and conversions in C++.
struct SpellingTraits {
  llvm::StringRef Optional;     ///< "c10::optional" / "::std::optional"
  llvm::StringRef Nullopt;      ///< "c10::nullopt" / "::std::nullopt"
  llvm::StringRef MakeOptional; ///< in translate: "c10::make_optional" / "::std::make_optional"
  llvm::StringRef ContiguousFormat;
  llvm::StringRef DtypeFromOptions;   ///< function name: "optTypeMetaToScalarType"
  llvm::StringRef IntArrayFromSymInt; ///< function or macro: SymIntArrayRef => IntArrayRef
  llvm::StringRef SymIntArrayFromInt; ///< function: IntArrayRef => SymIntArrayRef
  llvm::StringRef IntFromSymInt;      ///< member call: "expect_int()"
  /// A SymInt[k] default given as digits is wrapped in c10::SymInt(...) in symint signatures.
  bool WrapsSymIntListDefault;
  /// Return types follow the signature's symint flag (false: SymInt stays SymInt).
  bool ReturnsFollowSymInt;
  /// A return type `Tensor?` is allowed.
  bool OptionalTensorReturn;
  /// In translate: where a value is to be made, a Tensor or `Tensor?` is made of a const reference.
  bool TensorsFromReferences;
};

} // namespace opsig

#endif
