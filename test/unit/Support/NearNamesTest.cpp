//===- NearNamesTest.cpp - Suggestions come to an end -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Support/NearNames.h"

using namespace opsig;

namespace {

TEST(NearNames, SuggestsWhatIsNear) {
  NearNames Names({"add", "multiply", "relu"});
  EXPECT_EQ(Names.didYouMean("multipli"), "; did you mean 'multiply'?");
  EXPECT_EQ(Names.didYouMean("rleu"), "; did you mean 'relu'?");
  EXPECT_EQ(Names.didYouMean("sigmoid"), "");
  EXPECT_FALSE(Names.exhausted());
}

TEST(NearNames, StopsWhenItsComparisonsAreUsedUp) {
  NearNames Names({"add", "multiply", "relu"}, /*Comparisons=*/7);
  EXPECT_EQ(Names.didYouMean("multipli"), "; did you mean 'multiply'?");
  EXPECT_EQ(Names.didYouMean("multipli"), "; did you mean 'multiply'?");
  EXPECT_TRUE(Names.exhausted());
  EXPECT_EQ(Names.didYouMean("multipli"), "");
}

TEST(NearNames, NoCandidatesAreNeverExhausted) {
  NearNames Names({});
  EXPECT_EQ(Names.didYouMean("add"), "");
  EXPECT_FALSE(Names.exhausted());
}

} // namespace
