//===- AstCheckTest.cpp - fixes of several findings --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gtest/gtest.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Tidy/AstCheck.h"

using namespace opsig;

namespace {

Finding found(std::vector<Fix> Fixes) {
  return {finding::KernelSignature, Level::Error, {}, "text", "", "", {}, std::move(Fixes)};
}

TEST(WithFixesOnce, KeepsTheFirstOfThoseThatOverlap) {
  SourceId A{1}, B{2};
  Fix Head{A, 10, 5, "x"}, Tail{A, 14, 3, "y"}, Far{A, 40, 1, "z"}, Elsewhere{B, 10, 5, "x"};
  std::vector<Finding> Out =
      withFixesOnce(std::vector<Finding>{found({Head, Elsewhere}), found({Head, Elsewhere}),
                                         found({Tail, Far}), found({Far}), found({})});
  ASSERT_EQ(Out.size(), 5u);
  EXPECT_EQ(Out[0].Fixes, (std::vector<Fix>{Head, Elsewhere}));
  EXPECT_TRUE(Out[1].Fixes.empty());
  // All edits of a finding or none.
  EXPECT_TRUE(Out[2].Fixes.empty());
  EXPECT_EQ(Out[3].Fixes, (std::vector<Fix>{Far}));
  EXPECT_EQ(Out[3].Message, "text");
}

TEST(WithFixesOnce, TakesInsertionsAtOnePlaceForAConflict) {
  SourceId A{1};
  std::vector<Finding> Out =
      withFixesOnce(std::vector<Finding>{found({{A, 7, 0, "one"}}), found({{A, 7, 0, "two"}})});
  EXPECT_EQ(Out[0].Fixes.size(), 1u);
  EXPECT_TRUE(Out[1].Fixes.empty());
}

} // namespace
