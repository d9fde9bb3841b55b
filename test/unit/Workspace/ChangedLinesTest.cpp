//===- ChangedLinesTest.cpp - what a diff says of files -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Workspace/TempTree.h"
#include "opsig/Workspace/ChangedLines.h"

using namespace opsig;

namespace {

class ChangedLinesTest : public TempTree {
protected:
  ChangedLines changed(llvm::StringRef Diff) {
    llvm::Expected<ChangedLines> Lines = ChangedLines::ofDiff(Diff, path(""));
    EXPECT_TRUE(bool(Lines));
    return std::move(*Lines);
  }
};

TEST_F(ChangedLinesTest, AddedLines) {
  add("a.cpp");
  add("b c.cpp");
  add("same.cpp");
  ChangedLines Lines = changed("diff --git a/a.cpp b/a.cpp\n--- a/a.cpp\n+++ b/a.cpp\n"
                               "@@ -2 +2,2 @@ f()\n-old\n+new\n++++ b/same.cpp\n"
                               "@@ -9,2 +10,0 @@\n-gone\n-gone\n"
                               "diff --git a/b c.cpp b/b c.cpp\n--- a/b c.cpp\t\n+++ b/b c.cpp\t\n"
                               "@@ -0,0 +1 @@\n+x\n");
  EXPECT_EQ(Lines.files().size(), 2u);
  EXPECT_FALSE(Lines.mayConcernAll());
  EXPECT_FALSE(Lines.contain(path("a.cpp"), 1));
  EXPECT_TRUE(Lines.contain(path("a.cpp"), 2));
  EXPECT_TRUE(Lines.contain(path("a.cpp"), 3));
  EXPECT_FALSE(Lines.contain(path("a.cpp"), 10));
  EXPECT_TRUE(Lines.contain(path("b c.cpp"), 1));
  EXPECT_FALSE(Lines.contain(path("same.cpp"), 1));
  EXPECT_FALSE(Lines.contain(path("missing.cpp"), 1));
}

TEST_F(ChangedLinesTest, WhatMayConcernAll) {
  add("x.yaml");
  EXPECT_TRUE(changed("diff --git a/x.yaml b/x.yaml\n--- a/x.yaml\n+++ b/x.yaml\n"
                      "@@ -1 +1 @@\n-a\n+b\n")
                  .mayConcernAll());
  EXPECT_TRUE(changed("diff --git a/x.h b/x.h\n--- a/x.h\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")
                  .mayConcernAll());
  EXPECT_TRUE(changed("").files().empty());
}

TEST_F(ChangedLinesTest, NoDiffAndNoRevision) {
  for (llvm::StringRef Revision : {"", "--output=x"}) {
    llvm::Expected<ChangedLines> Lines = ChangedLines::since(Revision, path(""), {});
    EXPECT_EQ(llvm::toString(Lines.takeError()),
              ("--since: '" + Revision + "' is not a revision").str());
  }
  llvm::Expected<ChangedLines> Lines = ChangedLines::ofDiff("@@ -x +y @@\n", path(""));
  EXPECT_EQ(llvm::toString(Lines.takeError()), "--since: opsig cannot read git's diff");
}

} // namespace
