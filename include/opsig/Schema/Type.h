//===- Type.h - Types of the schema language --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Tensor?[]" => Type {Tensor, [Optional, List]} => "Tensor?[]"
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SCHEMA_TYPE_H
#define OPSIG_SCHEMA_TYPE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace opsig {

enum class BaseTy : uint8_t {
#define OPSIG_BASE_TYPE(Name, Spelling) Name,
#include "opsig/Schema/BaseTypes.def"
  /// `__torch__.torch.classes.X`; the type holds X.
  CustomClass,
#define OPSIG_SCRIPT_TYPE(Name, Spelling) Name,
#include "opsig/Schema/BaseTypes.def"
  /// A lower case name that is no type, which the type holds: it stands for any type.
  Variable,
};

/// "int", "Tensor"; "" for CustomClass, Tuple and Variable.
llvm::StringRef toString(BaseTy Ty);
/// The base type that native_functions.yaml of any release spells \p Name.
std::optional<BaseTy> parseBaseTy(llvm::StringRef Name);

/// One suffix of a type: "?", "[]" or "[N]" (N > 0).
struct TypeSuffix {
  enum Kind : uint8_t { Optional, List } Is;
  /// Of a List: its size, or 0 where it has none.
  uint32_t Size = 0;
  friend bool operator==(const TypeSuffix &, const TypeSuffix &) = default;
};

/// A base type and its suffixes from the innermost to the outermost, which is the order in which
/// they are written: `Tensor?[]` is a list of optional tensors.
class Type {
public:
  Type() = default;
  Type(BaseTy Base) : Base(Base) {}
  /// \p Suffixes from the innermost to the outermost.
  Type(BaseTy Base, llvm::ArrayRef<TypeSuffix> Suffixes)
      : Base(Base), Suffixes(Suffixes.begin(), Suffixes.end()) {}
  /// `__torch__.torch.classes.Name`.
  static Type customClass(llvm::StringRef Name, llvm::ArrayRef<TypeSuffix> Suffixes = {});
  static Type variable(llvm::StringRef Name);
  /// The base type of that spelling, of YAML or of strings.
  static Type named(llvm::StringRef Spelling);
  /// Tuple, Dict, Future, Await, RRef or Union.
  static Type of(BaseTy Base, std::vector<Type> Elements);
  Type optional() const;              ///< this type followed by "?"
  Type list(uint32_t Size = 0) const; ///< this type followed by "[]" or "[Size]"

  BaseTy base() const { return Base; }
  /// Of CustomClass and Variable.
  llvm::StringRef name() const { return Name; }
  llvm::ArrayRef<Type> elements() const { return Elements; }
  llvm::ArrayRef<TypeSuffix> suffixes() const { return Suffixes; }

  /// No suffix: the base type itself.
  bool isBase() const { return Suffixes.empty(); }
  bool is(BaseTy Ty) const { return isBase() && Base == Ty; }
  bool is(llvm::StringRef Spelling) const { return isBase() && toString(Base) == Spelling; }
  bool isOptional() const;
  bool isList() const;
  /// Of a list, or an optional of one: its size; otherwise 0.
  uint32_t listSize() const;
  /// The type without its outermost suffix. Only for types that have one.
  Type elem() const;
  /// The type without suffixes.
  Type innermost() const;
  void wrap(TypeSuffix Suffix) { Suffixes.push_back(Suffix); }
  /// As libtorch understands it: `Dimname` is a str, `int[2]` an int[].
  Type dispatched() const;
  /// The same with int for each SymInt.
  Type withoutSymInt() const;

  /// Look through every suffix.
  bool isTensorLike() const { return Base == BaseTy::Tensor; }
  bool isSymIntLike() const { return Base == BaseTy::SymInt; }
  bool isGeneratorLike() const { return Base == BaseTy::Generator; }
  /// Has a "?" anywhere: optional itself, or a list whose element is nullable.
  bool isNullable() const;
  /// A list, or an optional of one. Returns the list type.
  std::optional<Type> listLike() const;

  std::string str() const;
  friend bool operator==(const Type &, const Type &) = default;
  friend llvm::hash_code hash_value(const Type &T);

private:
  BaseTy Base = BaseTy::Tensor;
  llvm::SmallVector<TypeSuffix, 2> Suffixes;
  std::string Name;
  std::vector<Type> Elements;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const Type &T);

} // namespace opsig

#endif
