//===- TestFunctions.h - Functions made from schema text --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TEST_UNIT_SIGNATURE_TESTFUNCTIONS_H
#define OPSIG_TEST_UNIT_SIGNATURE_TESTFUNCTIONS_H

#include "TestDialects.h"
#include "gtest/gtest.h"
#include "opsig/Operators/Operators.h"

namespace opsig::test {

/// A grammar that accepts every type of any release.
inline Grammar anyGrammar() {
  Grammar G;
  G.Types.set();
  return G;
}

/// Fails the test and returns a default value if \p Parsed lacks one.
template <typename T>
T parsed(std::optional<T> Value, const SchemaErrors &Errors, llvm::StringRef Text) {
  for (const SchemaError &E : Errors)
    ADD_FAILURE() << Text.str() << ": " << E.Message;
  if (!Value) {
    ADD_FAILURE() << "cannot parse " << Text.str();
    return T();
  }
  return std::move(*Value);
}

inline Type type(llvm::StringRef Text) {
  SchemaErrors Errors;
  std::optional<Type> Value = parseType(Text, anyGrammar(), Errors);
  return parsed(std::move(Value), Errors, Text);
}

/// A function that has \p Schema, and of everything else the default.
inline NativeFunction function(llvm::StringRef Schema) {
  SchemaErrors Errors;
  std::optional<FunctionSchema> Value = parseSchema(Schema, anyGrammar(), Errors);
  NativeFunction F;
  F.Schema = parsed(std::move(Value), Errors, Schema);
  F.Kind = F.Schema.kind();
  return F;
}

inline Argument argument(llvm::StringRef TypeText, llvm::StringRef Name, bool Written = false) {
  Argument A{Name.str(), type(TypeText), std::nullopt, std::nullopt};
  if (Written)
    A.Annotation = AliasAnnotation{"a", true, ""};
  return A;
}

} // namespace opsig::test

#endif
