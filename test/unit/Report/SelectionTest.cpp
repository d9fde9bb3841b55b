//===- SelectionTest.cpp - globs of checks, levels ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Report/Selection.h"

#include "gtest/gtest.h"

using namespace opsig;

namespace {

TEST(Selection, Globs) {
  EXPECT_TRUE(globMatches("*", ""));
  EXPECT_TRUE(globMatches("opsig-*", "opsig-missing-kernel"));
  EXPECT_TRUE(globMatches("*-kernel", "opsig-kernel-kernel"));
  EXPECT_TRUE(globMatches("a*b*c", "axbxbxc"));
  EXPECT_FALSE(globMatches("a*b*c", "axbxbx"));
  EXPECT_FALSE(globMatches("opsig", "opsig-"));
  EXPECT_FALSE(globMatches("", "a"));
  // Only '*' means something.
  EXPECT_FALSE(globMatches("a.c", "abc"));
  EXPECT_FALSE(globMatches("a?c", "abc"));
}

TEST(Selection, TheLastGlobDecides) {
  CheckGlobs None;
  EXPECT_FALSE(None.contains("opsig-missing-kernel"));
  CheckGlobs Checks("*,-opsig-missing-*");
  EXPECT_TRUE(Checks.contains("opsig-unknown-kernel"));
  EXPECT_FALSE(Checks.contains("opsig-missing-kernel"));
  Checks.append("\n opsig-missing-kernel ,");
  EXPECT_TRUE(Checks.contains("opsig-missing-kernel"));
  EXPECT_FALSE(CheckGlobs("-*").contains("opsig-missing-kernel"));
}

TEST(Selection, NamesThatNoCheckHas) {
  EXPECT_TRUE(CheckGlobs("-*,opsig-kernel-signature").unknown().empty());
  EXPECT_EQ(CheckGlobs("-opsig-kernel,*-nothing").unknown(),
            (std::vector<std::string>{"opsig-kernel", "*-nothing"}));
}

TEST(Selection, Levels) {
  llvm::Expected<LevelRule> Rule = parseLevelRule("opsig-missing-* = warning");
  ASSERT_TRUE(bool(Rule));
  EXPECT_EQ(Rule->Glob, "opsig-missing-*");
  EXPECT_EQ(Rule->Severity, Level::Warning);
  for (llvm::StringRef Wrong : {"", "opsig-missing-kernel", "=error", "opsig-x=error"})
    EXPECT_FALSE(bool(llvm::expectedToOptional(parseLevelRule(Wrong)))) << Wrong.str();
}

} // namespace
