//===- OperatorSuggestionTest.cpp - Which operator was meant ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Operators/OperatorSuggestion.h"

using namespace opsig;
using llvm::StringRef;

namespace {

const std::vector<StringRef> Names = {
    "add.Tensor",      "add.Scalar",  "add.out", "add_.Tensor", "matmul",      "matmul.out",
    "mul.Tensor",      "sub.Tensor",  "sub.out", "rsub.Tensor", "rsub.out",    "abs",
    "bitwise_xor.out", "logical_xor", "bend",    "bend.Tensor", "blend.Tensor"};

std::string question(StringRef Written) { return OperatorNameIndex(Names).didYouMean(Written); }

TEST(OperatorSuggestion, AnOperatorThatExistsStays) {
  EXPECT_EQ(question("matmul.Tensor"), "; existing overloads: 'matmul', 'matmul.out'");
  EXPECT_EQ(question("matmul.Tensor_out"), "; existing overloads: 'matmul.out', 'matmul'");
  EXPECT_EQ(question("sub.Tensor_out"), "; existing overloads: 'sub.out', 'sub.Tensor'");
  EXPECT_EQ(question("logical_xor.Tensor_out"), "; did you mean 'logical_xor'?");
  EXPECT_EQ(question("blend"), "; did you mean 'blend.Tensor'?");
  EXPECT_EQ(question("add_"), "; did you mean 'add_.Tensor'?");
}

TEST(OperatorSuggestion, OverloadsHaveTyposToo) {
  EXPECT_EQ(question("add.Tensr"), "; did you mean 'add.Tensor'?");
  EXPECT_EQ(question("add.otu"), "; did you mean 'add.out'?");
}

TEST(OperatorSuggestion, TheKernelComesFirst) {
  OperatorNameIndex Index(Names);
  OperatorSuggestion Meant =
      Index.suggest("add.Thing", [](StringRef Name) { return Name == "add.Scalar"; });
  EXPECT_EQ(Meant.Is, OperatorSuggestion::Overload);
  EXPECT_EQ(Meant.text(),
            "; did you mean 'add.Scalar'? (other overloads: 'add.Tensor', 'add.out')");
}

TEST(OperatorSuggestion, AnotherOperatorOnlyForATypo) {
  EXPECT_EQ(question("mtmul"), "; did you mean 'matmul'?");
  EXPECT_EQ(question("asb"), "; did you mean 'abs'?");
  EXPECT_EQ(question("mull.Tensor"), "; did you mean 'mul.Tensor'?");
  EXPECT_EQ(question("matmul_"), "");
  EXPECT_EQ(question("abs_"), "");
  EXPECT_EQ(question("rabs"), "");
  EXPECT_EQ(question("xor"), "");
}

TEST(OperatorSuggestion, OtherSpellings) {
  EXPECT_EQ(question("aten::abs"), "; did you mean 'abs'?");
  EXPECT_EQ(question("aten::sub.foo"), "; existing overloads: 'sub.Tensor', 'sub.out'");
  EXPECT_EQ(question("add_out"), "; did you mean 'add.out'?");
  EXPECT_EQ(OperatorNameIndex({"aten::abs"}).didYouMean("abs"), "; did you mean 'aten::abs'?");
  EXPECT_EQ(OperatorNameIndex({"ns::abs"}).didYouMean("other::asb"), "");
}

TEST(OperatorSuggestion, ComparisonsComeToAnEnd) {
  OperatorNameIndex Index(Names, /*Comparisons=*/15);
  EXPECT_EQ(Index.didYouMean("asb"), "; did you mean 'abs'?");
  EXPECT_EQ(Index.didYouMean("asb"), "");
  EXPECT_EQ(Index.didYouMean("blend"), "; did you mean 'blend.Tensor'?");
}

} // namespace
