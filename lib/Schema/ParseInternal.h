//===- ParseInternal.h - The steps of the schema parser --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// schema text => name | argument pieces | return pieces => (each by itself) parts with their places
//             => FunctionSchema => what holds between the parts
//
// Every StringRef handed around here is a piece of the parsed text, so that its place is known. A
// step that finds something wrong reports it and returns nothing, or goes on with what was probably
// meant.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_SCHEMA_PARSEINTERNAL_H
#define OPSIG_LIB_SCHEMA_PARSEINTERNAL_H

#include "opsig/Schema/Parse.h"
#include "llvm/Support/FormatVariadic.h"

namespace opsig::schema {

/// What is parsed and where errors go.
struct Context {
  llvm::StringRef Text;
  const Grammar &G;
  SchemaErrors &Errors;

  /// \p At is a piece of Text.
  TextRange place(llvm::StringRef At) const {
    return At.data() ? TextRange{uint32_t(At.data() - Text.data()), uint32_t(At.size())}
                     : TextRange();
  }
  template <typename... Ts>
  void error(FindingId Id, llvm::StringRef At, const char *Format, Ts &&...Values) {
    Errors.push_back({Id, size_t(At.data() - Text.data()), At.size(),
                      llvm::formatv(Format, std::forward<Ts>(Values)...).str()});
  }
};

/// Where the parts of an argument or a return stand. Parts that are not there are empty.
struct PieceText {
  llvm::StringRef Whole;
  llvm::StringRef Type; ///< with the annotation
  llvm::StringRef Name;
  llvm::StringRef Default;
};

/// Where the parts of a schema stand; as many arguments and returns as the schema has.
struct SchemaText {
  llvm::StringRef Name;
  llvm::StringRef Returns;
  std::vector<PieceText> Args;
  std::vector<PieceText> Rets;
};

struct AnnotatedType {
  Type Ty;
  std::optional<AliasAnnotation> Annotation;
};

// SplitSchema.cpp
/// The three parts of a schema; a part that could not be found has no data.
struct Frame {
  llvm::StringRef Name;
  llvm::StringRef Args;
  llvm::StringRef Returns;
  bool HasArgs = false;
  bool HasReturns = false;
  /// The place of a ") -> " inside Args, where there is one.
  llvm::StringRef EarlierArrow;
};
/// Finds the parts by ") -> ", or as well as that goes without it. Nothing where there is nothing
/// to go on with.
std::optional<Frame> splitSchema(Context &C);

// ParseName.cpp
std::optional<OperatorName> parseName(Context &C, llvm::StringRef Text);

// ParseType.cpp
std::optional<AliasAnnotation> parseAnnotation(Context &C, llvm::StringRef Text);
std::optional<Type> parseType(Context &C, llvm::StringRef Text);
std::optional<AnnotatedType> parseAnnotatedType(Context &C, llvm::StringRef Text);

// TypeHints.cpp
/// Says why \p Text, which has no suffix, is no base type, and what may have been meant.
void reportUnknownType(Context &C, llvm::StringRef Text);

// ParseArgument.cpp
std::optional<Argument> parseArgument(Context &C, llvm::StringRef Text, PieceText &Where);
std::optional<Return> parseReturn(Context &C, llvm::StringRef Text, PieceText &Where);
/// Reports words that can be no default of the type.
bool checkDefault(Context &C, const Type &Ty, llvm::StringRef Default);

// VerifySchema.cpp
/// Sets SelfIndex and TensorOptionsIndex from the other fields. \p Again is told where further
/// groups of tensor options begin.
void groupArguments(Arguments &Args, llvm::function_ref<void(unsigned)> Again);
/// Reports what does not hold between the parts of a schema.
void verifySchema(Context &C, const FunctionSchema &F, const SchemaText &Where);

/// The text as it may stand in a message: shortened where it is long, control characters escaped.
std::string quoted(llvm::StringRef Text);
/// How a message calls one character: "a blank", "'x'".
std::string characterName(llvm::StringRef Character);
/// The first character that may not stand at its place in an identifier; empty when all may.
llvm::StringRef firstNonIdentifier(llvm::StringRef Text, bool MayBeginWithDigit = false);
} // namespace opsig::schema

#endif
