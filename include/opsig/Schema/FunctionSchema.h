//===- FunctionSchema.h - A whole schema ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// schema text => (Parse.h: torchgen's grammar, or libtorch's) FunctionSchema
//   => kind, signature, view signature => text
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SCHEMA_FUNCTIONSCHEMA_H
#define OPSIG_SCHEMA_FUNCTIONSCHEMA_H

#include "opsig/Schema/Argument.h"
#include "opsig/Schema/Name.h"

namespace opsig {

enum class SchemaKind : uint8_t { Functional, Inplace, Out, Mutable, Scratch };
/// "functional", "inplace", "out", "mutable", "scratch".
llvm::StringRef toString(SchemaKind Kind);

/// What a signature for grouping leaves out or keeps, besides what it always drops.
struct SignatureOptions {
  bool StripDefault = false;
  /// `x_copy` => `x` (every `_copy`), and where StripScatter, too, `x_scatter` => `x_inverse`.
  bool StripViewCopyName = false;
  bool StripScatter = false;
  /// Names returns: kept, or `<arg>_out` for a return that stands for a written argument.
  bool KeepReturnNames = false;
};

struct FunctionSchema {
  OperatorName Name;
  Arguments Args;
  std::vector<Return> Returns;
  /// Only of strings in code: no more than the name is given, "..." ends the arguments, the
  /// returns.
  bool NameOnly = false, VarArgs = false, VarReturns = false;
  TextRange NameAt = {}; ///< namespace and overload included

  /// "add.out", without a namespace.
  std::string operatorName() const;
  llvm::StringRef operatorNamespace() const { return Name.Name.Namespace; }
  SchemaKind kind() const;
  bool isOut() const { return Args.NumOut != 0; }
  bool isInplace() const { return Name.Name.Inplace; }
  /// "functional" occurs in the overload name.
  bool isFunctionalVariant() const;
  /// Of kind inplace, out or mutable; a scratch schema does not count.
  bool modifiesArguments() const;
  /// Of kind inplace or out.
  bool hasInplaceOrOutSemantics() const;
  /// A SymInt-like argument that is not out; with \p CountReturns also a return.
  bool hasSymInt(bool CountReturns) const;
  /// Some return carries an annotation that is not a write: it returns views.
  bool hasAliasedReturn() const;

  /// Per return, in their order: the name of the argument with the same annotation, or "".
  std::vector<std::string> aliasedReturnNames() const;

  /// The common form of the variants of an operator, the key of its group: overload, inplace flag,
  /// `_functional`, annotations, out arguments, tensor options' grouping and return names are
  /// dropped; written arguments that are not returned become returns (self, then out, then the
  /// others).
  FunctionSchema signature(SignatureOptions Options = {}) const;
  /// signature() with view-copy names mapped to their views'.
  FunctionSchema viewSignature(bool StripScatter) const;

  FunctionSchema withName(OperatorName NewName) const;

  /// Exactly the text the schema was parsed from, where torchgen's grammar read it.
  std::string str() const;
  /// Equal ones may stand at different places.
  friend bool operator==(const FunctionSchema &L, const FunctionSchema &R);
  friend llvm::hash_code hash_value(const FunctionSchema &F);
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const FunctionSchema &F);

} // namespace opsig

/// So that signatures are keys of the standard containers.
template <> struct std::hash<opsig::FunctionSchema> {
  size_t operator()(const opsig::FunctionSchema &F) const { return hash_value(F); }
};

#endif
