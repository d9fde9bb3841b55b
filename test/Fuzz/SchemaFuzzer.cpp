//===- SchemaFuzzer.cpp - Any bytes as a schema ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first byte chooses the grammar, the rest is the text. Whatever the text is: the parsers
// return either a schema or errors, which point into the text. What torchgen's grammar reads prints
// back exactly, and libtorch's grammar, where it takes the text, reads the same.
//
//===----------------------------------------------------------------------===//

#include "opsig/Schema/Parse.h"
#include <cstdlib>
#include <string>

using namespace opsig;

/// Ends the program also where assertions are off.
static void require(bool Holds) {
  if (!Holds)
    abort();
}

static Grammar grammar(uint8_t Bits) {
  Grammar G;
  for (unsigned I = 0; I != unsigned(BaseTy::CustomClass); ++I)
    G.Types.set(I);
  if (Bits & 1)
    G.Types.reset(unsigned(BaseTy::SymBool));
  G.NamespacedNames = Bits & 2;
  G.DefaultsMayHoldSpaces = Bits & 4;
  G.RefusesPythonKeywords = Bits & 8;
  return G;
}

static void requirePlaces(llvm::StringRef Text, const SchemaErrors &Errors) {
  for (const SchemaError &E : Errors) {
    require(E.Offset <= Text.size() && E.Length <= Text.size() - E.Offset);
    require(!E.Message.empty());
  }
}

template <typename T>
static void requireOne(const std::optional<T> &Value, llvm::StringRef Text, SchemaErrors &Errors) {
  require(Value.has_value() == Errors.empty());
  requirePlaces(Text, Errors);
  Errors.clear();
  if (Value)
    require(Value->str() == Text);
}

/// Whether both grammars separate arguments at the same commas. torchgen separates at a comma with
/// a blank after it: to it the default of 'int n=1,*' is '1,*'. libtorch separates at every comma,
/// unless it stands in a list, where something follows that no argument begins with.
static bool separatesAlike(llvm::StringRef Text) {
  for (size_t Comma = Text.find(','); Comma != Text.npos; Comma = Text.find(',', Comma + 1))
    if (Comma + 1 == Text.size() || !llvm::StringRef(" 0123456789-.[").contains(Text[Comma + 1]))
      return false;
  return true;
}

/// As libtorch reads it. Only there an optional of an optional is one, and blanks around a default
/// are no part of it.
static void useString(llvm::StringRef Text, const Grammar &G,
                      const std::optional<FunctionSchema> &Strict) {
  SchemaErrors Errors, Remarks;
  std::optional<FunctionSchema> F = parseScriptSchema(Text, G, ScriptRules(), Errors, Remarks);
  require(F.has_value() == Errors.empty());
  requirePlaces(Text, Errors);
  requirePlaces(Text, Remarks);
  if (F && Strict && !Text.contains("??") && !G.DefaultsMayHoldSpaces && separatesAlike(Text))
    require(*F == *Strict);
}

static void useSchema(const FunctionSchema &F) {
  FunctionSchema Signature = F.signature();
  // A signature is its own signature, and equal ones have one hash.
  require(Signature.kind() == SchemaKind::Functional);
  require(Signature.signature().Args == Signature.Args);
  require(hash_value(F.signature()) == hash_value(Signature));
  F.viewSignature(true).str();
  F.Name.unambiguous();
  require(F.aliasedReturnNames().size() == F.Returns.size());
  const Arguments &A = F.Args;
  require(A.preSelfPositional().size() + (A.self() ? 1 : 0) + A.postSelfPositional().size() ==
          A.positional().size());
  require(A.preTensorOptionsKwargOnly().size() + A.tensorOptions().size() +
              A.postTensorOptionsKwargOnly().size() ==
          A.kwargOnly().size());
  require(A.positional().size() + A.kwargOnly().size() + A.out().size() == A.all().size());
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (Size == 0)
    return 0;
  Grammar G = grammar(Data[0]);
  llvm::StringRef Text(reinterpret_cast<const char *>(Data) + 1, Size - 1);
  SchemaErrors Errors;
  std::optional<FunctionSchema> F = parseSchema(Text, G, Errors);
  requireOne(F, Text, Errors);
  if (F)
    useSchema(*F);
  useString(Text, G, F);
  requireOne(parseOperatorName(Text, G, Errors), Text, Errors);
  requireOne(parseType(Text, G, Errors), Text, Errors);
  requireOne(parseArgument(Text, G, Errors), Text, Errors);
  requireOne(parseAnnotation(Text, Errors), Text, Errors);
  return 0;
}
