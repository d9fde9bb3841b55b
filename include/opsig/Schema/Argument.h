//===- Argument.h - Arguments, returns and alias annotations ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_SCHEMA_ARGUMENT_H
#define OPSIG_SCHEMA_ARGUMENT_H

#include "opsig/Schema/Type.h"
#include <vector>

namespace opsig {

/// A stretch of the parsed text, in bytes.
struct TextRange {
  uint32_t Offset = 0;
  uint32_t Length = 0;
};

/// `(a!)`, `(a|b)`, `(a -> *)`, `(a! -> a|b)`.
struct AliasAnnotation {
  /// The alias sets before the call as they are written, "a|b"; "*" for the wildcard.
  std::string Before;
  bool IsWrite = false;
  /// Those after the call; empty without `->`.
  std::string After;

  std::string str() const; ///< "a! -> *"
  friend bool operator==(const AliasAnnotation &, const AliasAnnotation &) = default;
  friend llvm::hash_code hash_value(const AliasAnnotation &A);
};

/// The alias sets of "a|b".
llvm::SmallVector<llvm::StringRef, 2> aliasSets(llvm::StringRef Written);

/// An argument, or a return, which has no default and perhaps no name. Equal ones may stand at
/// different places.
struct Argument {
  std::string Name;
  Type Ty;
  /// The default as written, quotes included.
  std::optional<std::string> Default;
  std::optional<AliasAnnotation> Annotation = std::nullopt;
  TextRange TypeAt = {}; ///< with the annotation
  TextRange NameAt = {}, DefaultAt = {};

  bool isWrite() const { return Annotation && Annotation->IsWrite; }
  /// "Tensor(a!) self", "int n=1", "Tensor".
  std::string str() const;
  friend bool operator==(const Argument &L, const Argument &R);
  friend llvm::hash_code hash_value(const Argument &A);
};
using Return = Argument;

/// The arguments of a schema, in schema order, and where its sections begin. In this order:
///   pre-self positional | self | post-self positional |
///   keyword-only before tensor options | dtype layout device pin_memory |
///   keyword-only after them | out
/// Sections may be empty; keyword-only arguments of a schema without tensor options are all
/// "before".
class Arguments {
public:
  std::vector<Argument> All;
  /// Index of `self`; -1 without. Positional arguments of a schema without self are all post-self.
  int SelfIndex = -1;
  /// How many are positional.
  unsigned NumPositional = 0;
  /// Index of dtype when the four tensor options stand together; -1 otherwise.
  int TensorOptionsIndex = -1;
  /// How many at the end are out arguments.
  unsigned NumOut = 0;

  using Slice = llvm::ArrayRef<Argument>;
  Slice all() const { return All; }
  Slice positional() const { return all().take_front(NumPositional); }
  /// Of one of All.
  bool isKeywordOnly(const Argument &A) const { return &A - All.data() >= NumPositional; }
  Slice preSelfPositional() const;
  Slice postSelfPositional() const;
  const Argument *self() const { return SelfIndex < 0 ? nullptr : &All[SelfIndex]; }
  bool hasTensorOptions() const { return TensorOptionsIndex >= 0; }
  /// dtype, layout, device, pin_memory; empty without tensor options.
  Slice tensorOptions() const;
  /// Keyword-only without out, tensor options included.
  Slice kwargOnly() const;
  Slice preTensorOptionsKwargOnly() const;
  Slice postTensorOptionsKwargOnly() const;
  Slice out() const { return all().take_back(NumOut); }
  /// Everything but out.
  Slice nonOut() const { return all().drop_back(NumOut); }
  size_t size() const { return All.size(); }
  const Argument &operator[](size_t I) const { return All[I]; }
  bool isTensorOption(unsigned Index) const {
    return hasTensorOptions() && Index >= unsigned(TensorOptionsIndex) &&
           Index < unsigned(TensorOptionsIndex) + 4;
  }

  /// A tensor-like argument that is not out.
  bool hasTensorArg() const;
  bool hasSymIntArg() const;    ///< not out
  bool hasGeneratorArg() const; ///< not out

  std::string str() const; ///< without the parentheses
  friend bool operator==(const Arguments &, const Arguments &) = default;
  friend llvm::hash_code hash_value(const Arguments &A);
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const Argument &A);

} // namespace opsig

#endif
