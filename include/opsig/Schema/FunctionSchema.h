//===- FunctionSchema.h - A whole schema ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// schema text => (Parse.h) FunctionSchema => kind, signature, view signature => text
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
  /// `x_copy` => `x` (every `_copy`), and where StripScatter `x_scatter` => `x_inverse`.
  bool StripViewCopyName = false;
  bool StripScatter = false;
  /// Names returns: kept, or `<arg>_out` for a return that stands for a written argument.
  bool KeepReturnNames = false;
};

struct FunctionSchema {
  OperatorName Name;
  Arguments Args;
  std::vector<Return> Returns;

  SchemaKind kind() const;
  bool isOut() const { return Args.NumOut != 0; }
  bool isInplace() const { return Name.Name.Inplace; }
  /// "functional" occurs in the overload name.
  bool isFunctionalVariant() const;
  /// A written argument, or inplace, out.
  bool modifiesArguments() const;
  /// Inplace or out.
  bool hasInplaceOrOutSemantics() const;
  /// A SymInt-like argument that is not out; with \p CountReturns also a return.
  bool hasSymInt(bool CountReturns) const;
  /// Some argument or return carries an annotation that is not a write: it returns views.
  bool hasAliasedReturn() const;
  bool isSymIntFunction() const;

  /// Per return: the name of the argument it aliases, or "".
  std::vector<std::string> aliasedReturnNames() const;

  /// The common form of the variants of an operator, the key of its group: overload, inplace flag,
  /// `_functional`, annotations, out arguments, tensor options' grouping and return names are dropped;
  /// written arguments that are not returned become returns (self, then out, then the others).
  FunctionSchema signature(SignatureOptions Options = {}) const;
  /// signature() with view-copy names mapped to their views'.
  FunctionSchema viewSignature(bool StripScatter) const;

  FunctionSchema withName(OperatorName NewName) const;

  /// Exactly the text the schema was parsed from.
  std::string str() const;
  friend bool operator==(const FunctionSchema &, const FunctionSchema &) = default;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const FunctionSchema &F);

} // namespace opsig

#endif
