//===- MalformedTest.cpp - What the parser says about wrong schemas --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Grammars.h"
#include "gtest/gtest.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace opsig::test;

namespace {

enum class In { Early, Late, Both };

struct Malformed {
  In Grammars;
  const char *Marked;
  FindingId Id;
  const char *Message;
};

const Malformed Cases[] = {
#define OPSIG_REFUSED(Grammar, Schema, Id, Message) {In::Grammar, Schema, Id, Message},
#include "MalformedSchemas.def"
};

/// The schema of a case, and the place between its braces.
struct Unmarked {
  std::string Text;
  size_t Offset, Length;

  explicit Unmarked(llvm::StringRef Marked) {
    Offset = Marked.find('{');
    size_t End = Marked.find('}');
    Length = End - Offset - 1;
    Text =
        (Marked.take_front(Offset) + Marked.substr(Offset + 1, Length) + Marked.drop_front(End + 1))
            .str();
  }
};

std::string describe(const SchemaErrors &Errors) {
  std::string S;
  for (const SchemaError &E : Errors)
    S += "  " + std::to_string(E.Offset) + "+" + std::to_string(E.Length) + ": " + E.Message +
         " [" + findingName(E.Id).str() + "]\n";
  return S;
}

void expectError(const Malformed &Case, const Grammar &G) {
  Unmarked Schema(Case.Marked);
  SchemaErrors Errors;
  EXPECT_FALSE(parseSchema(Schema.Text, G, Errors));
  ASSERT_EQ(Errors.size(), 1u) << Schema.Text << "\n" << describe(Errors);
  const SchemaError &E = Errors.front();
  EXPECT_EQ(findingName(E.Id), findingName(Case.Id)) << Schema.Text << "\n" << describe(Errors);
  EXPECT_EQ(E.Offset, Schema.Offset) << Schema.Text << "\n" << describe(Errors);
  EXPECT_EQ(E.Length, Schema.Length) << Schema.Text << "\n" << describe(Errors);
  EXPECT_TRUE(llvm::StringRef(E.Message).contains(Case.Message)) << Schema.Text << "\n"
                                                                 << describe(Errors);
}

void expectNoSuchError(const Malformed &Case, const Grammar &G) {
  SchemaErrors Errors;
  parseSchema(Unmarked(Case.Marked).Text, G, Errors);
  for (const SchemaError &E : Errors)
    EXPECT_NE(findingName(E.Id), findingName(Case.Id)) << Case.Marked << "\n" << describe(Errors);
}

TEST(Malformed, EachSchemaHasItsOneError) {
  for (const Malformed &Case : Cases) {
    if (Case.Grammars != In::Late)
      expectError(Case, early());
    else
      expectNoSuchError(Case, early());
    if (Case.Grammars != In::Early)
      expectError(Case, late());
    else
      expectNoSuchError(Case, late());
  }
}

TEST(Malformed, AllErrorsOfASchemaAreReported) {
  SchemaErrors Errors;
  EXPECT_FALSE(
      parseSchema("add_out.(Tensr self, int[0] n, *, Tensor(a! out, int m=abc) -> (Tensor, void, )",
                  early(), Errors));
  std::vector<std::pair<FindingId, size_t>> Found;
  for (const SchemaError &E : Errors)
    Found.emplace_back(E.Id, E.Offset);
  EXPECT_EQ(Found, (std::vector<std::pair<FindingId, size_t>>{{finding::OpNameOutSuffix, 3},
                                                              {finding::OverloadEmpty, 7},
                                                              {finding::TypeUnknown, 9},
                                                              {finding::ListSizeZero, 25},
                                                              {finding::AnnotationUnclosed, 40},
                                                              {finding::DefaultValue, 55},
                                                              {finding::TypeUnknown, 72},
                                                              {finding::ReturnMissing, 78}}))
      << describe(Errors);
}

TEST(Malformed, AllThatDoesNotHoldBetweenThePartsIsReported) {
  SchemaErrors Errors;
  EXPECT_FALSE(parseSchema(
      "op_.functional(Tensor(a!) x, Tensor self, *, Tensor(b!) out) -> (Tensor, Tensor(c!))",
      early(), Errors));
  std::vector<FindingId> Found;
  for (const SchemaError &E : Errors)
    Found.push_back(E.Id);
  EXPECT_EQ(Found, (std::vector<FindingId>{finding::MutableBeforeSelf,
                                           finding::InplaceSelfNotWritten, finding::OutAndInplace,
                                           finding::OutReturnCount, finding::OutReturnMismatch,
                                           finding::ReturnsMixed, finding::ReturnNotOut}))
      << describe(Errors);
}

TEST(Malformed, PartsHaveTheErrorsOfASchema) {
  SchemaErrors Errors;
  EXPECT_FALSE(parseOperatorName("add_out", early(), Errors));
  EXPECT_FALSE(parseType("int64_t[]", early(), Errors));
  EXPECT_FALSE(parseArgument("Tensr self", early(), Errors));
  EXPECT_FALSE(parseAnnotation("a|b|c", Errors));
  ASSERT_EQ(Errors.size(), 4u) << describe(Errors);
  EXPECT_EQ(Errors[0].Id, finding::OpNameOutSuffix);
  EXPECT_EQ(Errors[1].Id, finding::TypeUnknown);
  EXPECT_EQ(Errors[1].Length, 7u);
  EXPECT_EQ(Errors[2].Id, finding::TypeUnknown);
  EXPECT_EQ(Errors[3].Id, finding::AnnotationSetTooLarge);
}

TEST(Malformed, ErrorsPointIntoTheFile) {
  SourceFiles Files;
  SourceId File = Files.add("f.yaml", "- func: op(Tensr self) -> Tensor\n");
  LocatedText Text{Files.line(File, 1).drop_front(8), {File, 1, 9, 0}, /*Verbatim=*/true};
  SchemaErrors Errors;
  EXPECT_FALSE(parseSchema(Text.Text, early(), Errors));
  Findings D;
  report(D, Text, Errors);
  ASSERT_EQ(D.size(), 1u);
  EXPECT_EQ(D.all()[0].At, (Place{File, 1, 12, 5}));
  EXPECT_EQ(D.all()[0].Id, finding::TypeUnknown);
}

/// Deep recursion on these would end the program, and quadratic work not end in an hour.
TEST(Malformed, LongTextsAreRead) {
  auto Repeat = [](llvm::StringRef S, size_t Count) {
    std::string Text;
    for (size_t I = 0; I != Count; ++I)
      Text += S;
    return Text;
  };
  std::vector<std::string> Texts = {
      "op(Tensor" + Repeat("?", 200000) + " self) -> Tensor",
      "op(Tensor" + Repeat("[]", 100000) + " self) -> Tensor",
      "op(" + Repeat("(", 200000) + ") -> Tensor",
      "op(" + Repeat("[, ", 60000) + ") -> Tensor",
      "op(" + Repeat("Tensr x, ", 20000) + "int n) -> Tensor",
      "op(" + Repeat("Tensor(a!) x, ", 20000) + "int n) -> (" + Repeat("Tensor, ", 20000) +
          "Tensor)",
      "op(" + Repeat(") -> ", 200000) + "Tensor",
      "op" + Repeat("::a", 60000) + "() -> ()",
      Repeat("]", 200000) + "(" + Repeat("=", 200000) + ") -> (" + Repeat(")", 200000),
  };
  for (const std::string &Text : Texts)
    for (const Grammar &G : {early(), late()}) {
      SchemaErrors Errors;
      if (auto F = parseSchema(Text, G, Errors))
        EXPECT_EQ(F->str(), Text);
    }
}

} // namespace
