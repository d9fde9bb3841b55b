//===- ApplyTest.cpp - fixes are applied together or not at all -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Edit/Apply.h"
#include "opsig/Support/FindingIds.h"

#include "gtest/gtest.h"

using namespace opsig;

namespace {

class Apply : public testing::Test {
protected:
  SourceFiles Files;
  SourceId A = Files.add("a.cpp", "int f(int x, int y);\n");
  SourceId B = Files.add("b.h", "int f(int, int);\n");
  std::vector<Finding> Hits;

  void finding(std::vector<Fix> Fixes) {
    Hits.push_back({finding::KernelSignature, Level::Error, {}, "wrong", "", "", {}, Fixes});
  }
  std::string edited(const AppliedFixes &Result, llvm::StringRef Path) {
    for (const OutputTree::File &File : Result.Files.files())
      if (File.Path == Path)
        return File.Text;
    return "unchanged";
  }
};

using Indices = std::vector<size_t>;

TEST_F(Apply, EditsEveryFileOfAFinding) {
  finding({{A, 6, 3, "long"}, {B, 6, 3, "long"}});
  finding({{A, 13, 3, "bool"}});
  AppliedFixes Result = applyFixes(Hits, Files);
  EXPECT_EQ(Result.Applied, (Indices{0, 1}));
  EXPECT_TRUE(Result.Refused.empty());
  EXPECT_EQ(edited(Result, "a.cpp"), "int f(long x, bool y);\n");
  EXPECT_EQ(edited(Result, "b.h"), "int f(long, int);\n");
}

TEST_F(Apply, MakesTheSameChangeOnce) {
  finding({{A, 6, 12, "bool b"}});
  finding({{A, 6, 12, "bool b"}, {B, 6, 8, "bool"}});
  AppliedFixes Result = applyFixes(Hits, Files);
  EXPECT_EQ(Result.Applied, (Indices{0, 1}));
  EXPECT_EQ(edited(Result, "a.cpp"), "int f(bool b);\n");
  EXPECT_EQ(edited(Result, "b.h"), "int f(bool);\n");
}

TEST_F(Apply, InsertsTheSameTextOnce) {
  finding({{A, 18, 0, ", int z"}});
  finding({{A, 18, 0, ", int z"}});
  EXPECT_EQ(edited(applyFixes(Hits, Files), "a.cpp"), "int f(int x, int y, int z);\n");
}

TEST_F(Apply, RefusesAWholeFindingThatConflicts) {
  finding({{A, 6, 5, "bool x"}});
  finding({{B, 6, 3, "long"}, {A, 6, 3, "long"}});
  finding({{A, 13, 3, "bool"}});
  AppliedFixes Result = applyFixes(Hits, Files);
  EXPECT_EQ(Result.Applied, (Indices{0, 2}));
  EXPECT_EQ(Result.Refused, (Indices{1}));
  EXPECT_EQ(edited(Result, "a.cpp"), "int f(bool x, bool y);\n");
  EXPECT_EQ(edited(Result, "b.h"), "unchanged");
}

TEST_F(Apply, RefusesFindingsThatOverlapThemselves) {
  finding({{A, 6, 5, "a"}, {A, 8, 5, "b"}});
  AppliedFixes Result = applyFixes(Hits, Files);
  EXPECT_EQ(Result.Refused, (Indices{0}));
  EXPECT_TRUE(Result.Files.files().empty());
}

TEST_F(Apply, RefusesPlacesBehindTheEnd) {
  finding({{A, 20, 2, ""}});
  finding({{SourceId::None, 0, 0, "x"}});
  finding({{B, 17, 0, "// end\n"}});
  AppliedFixes Result = applyFixes(Hits, Files);
  EXPECT_EQ(Result.Refused, (Indices{0, 1}));
  EXPECT_EQ(Result.Applied, (Indices{2}));
  EXPECT_EQ(edited(Result, "b.h"), "int f(int, int);\n// end\n");
}

TEST_F(Apply, LeavesOutFindingsWithoutFixes) {
  finding({});
  AppliedFixes Result = applyFixes(Hits, Files);
  EXPECT_TRUE(Result.Applied.empty());
  EXPECT_TRUE(Result.Refused.empty());
  EXPECT_TRUE(Result.Files.files().empty());
}

} // namespace
