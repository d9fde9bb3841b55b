//===- Parse.h - Schema text => FunctionSchema ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two grammars give the same tree, each with its places.
//
// torchgen's, of native_functions.yaml, is strict, so that printing a parsed schema gives the text
// back. Beyond it, refused is also what cannot become C++ or be registered: names that are no
// identifiers or stand twice, impossible defaults, a positional argument without default after one
// that has one, reserved overload names.
//
// libtorch's, of the strings of m.def("..."), is TorchScript's: it has more types, is free in its
// layout, and takes much that is likely a mistake. What it refuses is an error here, what it takes
// by mistake a remark.
//
// Every parser adds all it finds to Errors, ordered by the offset in the text where it stands, and
// returns a value only when it added nothing.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SCHEMA_PARSE_H
#define OPSIG_SCHEMA_PARSE_H

#include "opsig/Schema/FunctionSchema.h"
#include "opsig/Schema/ScriptRules.h"
#include "opsig/Support/Finding.h"
#include <bitset>

namespace opsig {

/// What a release's schema language allows.
struct Grammar {
  /// Accepted base types, by BaseTy.
  std::bitset<64> Types;
  /// `ns::name` is accepted as a base name.
  bool NamespacedNames = false;
  /// Type and name end at "=", so that a default may hold spaces.
  bool DefaultsMayHoldSpaces = false;
  /// Refuse argument names that are Python keywords.
  bool RefusesPythonKeywords = false;
  /// The strings of TORCH_LIBRARY code may have a SymBool, too.
  bool SymBoolInStrings = false;

  bool allows(BaseTy Ty) const { return Types.test(unsigned(Ty)); }
};

/// Something wrong at Offset..Offset+Length of the parsed text.
struct SchemaError {
  FindingId Id;
  size_t Offset;
  size_t Length;
  std::string Message;
  /// What should replace SuggestionLength bytes at SuggestionOffset; "" where that is not known.
  std::string Suggestion = {};
  size_t SuggestionOffset = 0, SuggestionLength = 0;

  void suggest(llvm::StringRef Text) { suggest(Offset, Length, Text); }
  void suggest(size_t At, size_t Size, llvm::StringRef Text) {
    Suggestion = Text.str();
    SuggestionOffset = At;
    SuggestionLength = Size;
  }
};
using SchemaErrors = std::vector<SchemaError>;

/// Parses "name.overload(Type arg, *, ...) -> returns" and checks what holds for a schema by itself
/// (kinds, out arguments against returns, self, tensor options).
std::optional<FunctionSchema> parseSchema(llvm::StringRef Text, const Grammar &G,
                                          SchemaErrors &Errors);

/// Parses the string of code, a schema or the name of an operator. \p Errors gets the first thing
/// that libtorch refuses, and then nothing is returned; \p Remarks everything that it takes
/// although it is likely wrong. Of \p G only the names of the types count.
std::optional<FunctionSchema> parseScriptSchema(llvm::StringRef Text, const Grammar &G,
                                                const ScriptRules &Rules, SchemaErrors &Errors,
                                                SchemaErrors &Remarks);

/// The parts of torchgen's grammar, each of a whole text.
std::optional<OperatorName> parseOperatorName(llvm::StringRef Text, const Grammar &G,
                                              SchemaErrors &Errors);
std::optional<Type> parseType(llvm::StringRef Text, const Grammar &G, SchemaErrors &Errors);
std::optional<Argument> parseArgument(llvm::StringRef Text, const Grammar &G, SchemaErrors &Errors);
std::optional<AliasAnnotation> parseAnnotation(llvm::StringRef Text, SchemaErrors &Errors);

/// Maps \p Errors to findings at their places in \p Text.
void report(Findings &D, const LocatedText &Text, llvm::ArrayRef<SchemaError> Errors);

/// Splits at ", ", as argument lists, variants and autogen lists are split; no piece is trimmed.
std::vector<llvm::StringRef> splitList(llvm::StringRef Text);

} // namespace opsig

#endif
