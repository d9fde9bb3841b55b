//===- UnifiedDiffTest.cpp - edits as a patch ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Edit/UnifiedDiff.h"

#include "gtest/gtest.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

using namespace opsig;
using namespace llvm;
using clang::tooling::Replacement;
using clang::tooling::Replacements;

namespace {

struct Edit {
  unsigned Offset, Length;
  StringRef Text;
};

std::string diff(StringRef Before, std::vector<Edit> Edits) {
  Replacements All;
  for (const Edit &E : Edits)
    cantFail(All.add(Replacement("f", E.Offset, E.Length, E.Text)));
  std::string Out;
  raw_string_ostream OS(Out);
  printUnifiedDiff(OS, "f", Before, All);
  return Out;
}

// What is expected was written by GNU diff -u, its two headers aside.
constexpr StringLiteral Header = "--- f\n+++ f\n";

TEST(UnifiedDiff, ChangesALine) {
  EXPECT_EQ(diff("a\nb\nc\nd\ne\n", {{4, 1, "X"}}),
            Header.str() + "@@ -1,5 +1,5 @@\n a\n b\n-c\n+X\n d\n e\n");
}

TEST(UnifiedDiff, ShowsThreeLinesAround) {
  EXPECT_EQ(diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", {{8, 0, "new\n"}}),
            Header.str() + "@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+new\n 5\n 6\n 7\n");
}

TEST(UnifiedDiff, JoinsHunksThatTouch) {
  StringRef Text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  EXPECT_EQ(diff(Text, {{0, 1, "A"}, {14, 1, "B"}}),
            Header.str() + "@@ -1,9 +1,9 @@\n-1\n+A\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+B\n 9\n");
  EXPECT_EQ(diff(Text, {{0, 1, "A"}, {16, 1, "B"}}),
            Header.str() +
                "@@ -1,4 +1,4 @@\n-1\n+A\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+B\n");
}

TEST(UnifiedDiff, RemovesLines) {
  EXPECT_EQ(diff("a\nb\nc\n", {{2, 2, ""}}), Header.str() + "@@ -1,3 +1,2 @@\n a\n-b\n c\n");
  EXPECT_EQ(diff("a\n", {{0, 2, ""}}), Header.str() + "@@ -1 +0,0 @@\n-a\n");
}

TEST(UnifiedDiff, FillsAnEmptyFile) {
  EXPECT_EQ(diff("", {{0, 0, "a\n"}}), Header.str() + "@@ -0,0 +1 @@\n+a\n");
}

TEST(UnifiedDiff, SeveralEditsOnALine) {
  EXPECT_EQ(diff("f(a, b)\ng\n", {{2, 1, "x"}, {5, 1, "y"}}),
            Header.str() + "@@ -1,2 +1,2 @@\n-f(a, b)\n+f(x, y)\n g\n");
}

TEST(UnifiedDiff, JoinsLines) {
  EXPECT_EQ(diff("a\nb\nc\n", {{1, 1, " "}}), Header.str() + "@@ -1,3 +1,2 @@\n-a\n-b\n+a b\n c\n");
}

TEST(UnifiedDiff, SaysWhereTheLastLineBreakIsMissing) {
  EXPECT_EQ(diff("a\nb", {{3, 0, "\nc"}}),
            Header.str() + "@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+c\n"
                           "\\ No newline at end of file\n");
  EXPECT_EQ(diff("a\nb", {{0, 1, "x"}}),
            Header.str() + "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n");
}

TEST(UnifiedDiff, NothingWhereNoLineChanges) {
  EXPECT_EQ(diff("a\nb\n", {{0, 1, "a"}}), "");
  EXPECT_EQ(diff("a\n", {}), "");
}

} // namespace
