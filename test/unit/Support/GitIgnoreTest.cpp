//===- GitIgnoreTest.cpp - what .gitignore files name ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Support/GitIgnore.h"

using namespace opsig;

namespace {

// What `git check-ignore` says of the same patterns and paths.
TEST(GitIgnore, ReadsPatterns) {
  GitIgnore Ignored;
  Ignored.add("/p", "# comment\n"
                    "\n"
                    "*.o\r\n"
                    "/top\n"
                    "folder/\n"
                    "a/b.cpp\n"
                    "deep/**/x.cpp\n"
                    "all/**\n"
                    "**/any\n"
                    "trailing  \n"
                    "[ab]?.h\n"
                    "\\#hash\n");
  for (const char *Path :
       {"/p/x.o", "/p/a/b/x.o", "/p/top", "/p/a/b.cpp", "/p/deep/x.cpp", "/p/deep/1/2/x.cpp",
        "/p/all/x", "/p/1/any", "/p/any", "/p/1/trailing", "/p/1/b2.h", "/p/#hash"})
    EXPECT_TRUE(Ignored.ignores(Path, /*IsFolder=*/false)) << Path;
  for (const char *Path : {"/p/x.oo", "/p/1/top", "/p/folder", "/p/1/a/b.cpp", "/p/deep/y.cpp",
                           "/p/all", "/p/c2.h", "/p/comment", "/q/x.o", "/p"})
    EXPECT_FALSE(Ignored.ignores(Path, /*IsFolder=*/false)) << Path;
  EXPECT_TRUE(Ignored.ignores("/p/1/folder", /*IsFolder=*/true));
}

TEST(GitIgnore, LetsTheLastPatternDecide) {
  GitIgnore Ignored;
  Ignored.add("/p", "*.cpp\n!kept.cpp\n");
  EXPECT_TRUE(Ignored.ignores("/p/x.cpp", false));
  EXPECT_FALSE(Ignored.ignores("/p/1/kept.cpp", false));
  size_t Outer = Ignored.size();
  Ignored.add("/p/in", "kept.cpp\n!x.cpp\n");
  EXPECT_TRUE(Ignored.ignores("/p/in/kept.cpp", false));
  EXPECT_FALSE(Ignored.ignores("/p/in/x.cpp", false));
  EXPECT_FALSE(Ignored.ignores("/p/kept.cpp", false));
  Ignored.shrink(Outer);
  EXPECT_FALSE(Ignored.ignores("/p/in/kept.cpp", false));
}

TEST(GitIgnore, IgnoresNothingThatItDoesNotUnderstand) {
  GitIgnore Ignored;
  Ignored.add("/p", "a\\ b.cpp\nx.cpp\n");
  EXPECT_FALSE(Ignored.ignores("/p/a b.cpp", false));
  EXPECT_TRUE(Ignored.ignores("/p/x.cpp", false));
  Ignored.add("/p", "!x\\.cpp\n");
  EXPECT_FALSE(Ignored.ignores("/p/x.cpp", false));
}

} // namespace
