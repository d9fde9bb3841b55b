//===- Name.h - Operator names ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "__iand__.Tensor" => OperatorName {base "and", dunder, inplace; overload "Tensor"}
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SCHEMA_NAME_H
#define OPSIG_SCHEMA_NAME_H

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace opsig {

/// The name of an operator without its overload, taken apart.
struct BaseOperatorName {
  /// Without underscores of inplace and dunder, without `_functional` and namespace.
  std::string Base;
  bool Inplace = false;
  /// Written `__base__` (inplace: `__ibase__`).
  bool Dunder = false;
  /// The written base ends in `_functional`, which Base lacks.
  bool FunctionalOverload = false;
  /// `ns` of a written `ns::` prefix; empty without.
  std::string Namespace;

  /// Takes \p Written, which has no namespace, apart.
  static BaseOperatorName of(llvm::StringRef Written);
  std::string str() const;
  friend bool operator==(const BaseOperatorName &, const BaseOperatorName &) = default;
  friend llvm::hash_code hash_value(const BaseOperatorName &N);
};

struct OperatorName {
  BaseOperatorName Name;
  /// "" for the overload without a name.
  std::string Overload;

  /// "add.out".
  std::string str() const;
  /// "add_out": a C++ identifier that no other operator has.
  std::string unambiguous() const;
  /// The functional name of this operator, overload kept. Drops FunctionalOverload and Namespace,
  /// as does withOverload (which also drops Inplace).
  OperatorName withoutInplace() const;
  OperatorName withOverload(llvm::StringRef NewOverload) const;

  friend bool operator==(const OperatorName &, const OperatorName &) = default;
  friend llvm::hash_code hash_value(const OperatorName &N);
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const BaseOperatorName &N);
llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const OperatorName &N);

} // namespace opsig

/// So that names are keys of the standard containers.
template <> struct std::hash<opsig::OperatorName> {
  size_t operator()(const opsig::OperatorName &N) const { return hash_value(N); }
};

#endif
