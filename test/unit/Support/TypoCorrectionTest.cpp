//===- TypoCorrectionTest.cpp - What is a typo, and what another name ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Support/TypoCorrection.h"

using namespace opsig;

namespace {

TEST(TypoCorrection, CountsLetters) {
  EXPECT_EQ(countTypos("Tensr", "Tensor"), 1u);
  EXPECT_EQ(countTypos("Tesnor", "Tensor"), 1u);
  EXPECT_EQ(countTypos("Tesnr", "Tensor"), 2u);
  EXPECT_EQ(countTypos("Tnsr", "Tensor"), 2u);
  EXPECT_EQ(countTypos("tensor", "Tensor"), 0u);
  EXPECT_EQ(countTypos("Tensor", "Tensor"), std::nullopt);
  EXPECT_EQ(countTypos("Scalar", "Tensor"), std::nullopt);
  EXPECT_EQ(countTypos("", "a"), std::nullopt);
  EXPECT_EQ(countTypos("x", "y"), std::nullopt);
}

TEST(TypoCorrection, ShortNamesHaveOne) {
  EXPECT_EQ(countTypos("ad", "add"), 1u);
  EXPECT_EQ(countTypos("min", "max"), std::nullopt);
  EXPECT_EQ(countTypos("kinds", "kings"), 1u);
  EXPECT_EQ(countTypos("kinds", "wings"), std::nullopt);
}

TEST(TypoCorrection, AffixesAreOtherNames) {
  EXPECT_EQ(countTypos("add_", "add"), std::nullopt);
  EXPECT_EQ(countTypos("_values", "values"), std::nullopt);
  EXPECT_EQ(countTypos("supported", "suported"), 1u);
  EXPECT_EQ(countTyposByWord("add_", "add"), std::nullopt);
  EXPECT_EQ(countTyposByWord("__and__", "__and_"), std::nullopt);
  EXPECT_EQ(countTyposByWord("sub", "rsub"), std::nullopt);
  EXPECT_EQ(countTyposByWord("rsub", "sub"), std::nullopt);
  EXPECT_EQ(countTyposByWord("ssub", "sub"), 1u);
  EXPECT_EQ(countTyposByWord("mul", "matmul"), std::nullopt);
  EXPECT_EQ(countTyposByWord("bitwise_xor", "logical_xor"), std::nullopt);
  EXPECT_EQ(countTyposByWord("xor", "bitwise_xor"), std::nullopt);
  EXPECT_EQ(countTyposByWord("conv4d", "conv2d"), std::nullopt);
  EXPECT_EQ(countTyposByWord("add_out", "add"), std::nullopt);
}

TEST(TypoCorrection, WordByWord) {
  EXPECT_EQ(countTyposByWord("lgo_sofmax", "log_softmax"), 2u);
  EXPECT_EQ(countTyposByWord("logsoftmax", "log_softmax"), 1u);
  EXPECT_EQ(countTyposByWord("scatter_min", "scatter_max"), std::nullopt);
  EXPECT_EQ(countTyposByWord("argmin", "argmax"), std::nullopt);
  EXPECT_EQ(countTyposByWord("mm", "mv"), std::nullopt);
  EXPECT_EQ(countTyposByWord("roi_aling", "roi_align"), 1u);
}

TEST(TypoCorrection, SeveralAreEquallyNear) {
  std::optional<Correction> Best = correctName("cat", {"bat", "hat", "cast"});
  ASSERT_TRUE(Best);
  EXPECT_EQ(Best->Name, "bat");
  EXPECT_FALSE(Best->IsUnique);
  EXPECT_EQ(onlyCorrection("cat", {"bat", "hat"}), "");
  EXPECT_EQ(onlyCorrection("cat", {"bat", "bat"}), "bat");
  EXPECT_EQ(onlyCorrection("cat", {"dog"}), "");
}

TEST(TypoCorrection, LongTextsTakeNoTime) {
  std::string Long(100000, 'a'), Other = Long;
  Other[50000] = 'b';
  EXPECT_EQ(countTypos(Long, Other), 1u);
  EXPECT_EQ(countTypos(Long, std::string(100000, 'c')), std::nullopt);
}

} // namespace
