//===- PathGlobTest.cpp - patterns of file names -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Support/PathGlob.h"

using namespace opsig;

namespace {

TEST(PathGlob, MatchesByComponents) {
  EXPECT_TRUE(pathGlobMatches("src/*.cpp", "src/a.cpp"));
  EXPECT_FALSE(pathGlobMatches("src/*.cpp", "src/b/a.cpp"));
  EXPECT_FALSE(pathGlobMatches("*.cpp", "src/a.cpp"));
  EXPECT_TRUE(pathGlobMatches("src/**/*.cpp", "src/a.cpp"));
  EXPECT_TRUE(pathGlobMatches("src/**/*.cpp", "src/b/c/a.cpp"));
  EXPECT_TRUE(pathGlobMatches("**/a.cpp", "a.cpp"));
  EXPECT_TRUE(pathGlobMatches("/x/**", "/x/y/z"));
  EXPECT_FALSE(pathGlobMatches("x/**", "/x/y"));
  EXPECT_TRUE(pathGlobMatches("./s?c/[ab].h", "src//b.h"));
  EXPECT_FALSE(pathGlobMatches("src/[ab].h", "src/c.h"));
  EXPECT_TRUE(pathGlobMatches("a[b", "a[b"));
}

TEST(PathGlob, TakesBackWhatAnyFoldersTook) {
  EXPECT_TRUE(pathGlobMatches("**/a/**/b", "a/b/a/c/b"));
  EXPECT_TRUE(pathGlobMatches("**/a/b", "a/a/b/a/b"));
  EXPECT_TRUE(pathGlobMatches("a/**/**/b", "a/b"));
  EXPECT_FALSE(pathGlobMatches("**/a/**/b", "b/a"));
  EXPECT_TRUE(pathGlobMatches("**", ""));
  EXPECT_TRUE(pathGlobCovers("**/a/c", "a/b/a/c/d"));
  EXPECT_FALSE(pathGlobCovers("**/a/c", "a/b/a/d/c"));
}

/// With a search of its own for each of them this would not end.
TEST(PathGlob, ManyAnyFolders) {
  std::string Glob, Path;
  for (int I = 0; I < 40; ++I)
    Glob += "**/a/";
  for (int I = 0; I < 200; ++I)
    Path += "a/";
  EXPECT_FALSE(pathGlobMatches(Glob + "b", Path + "c"));
  EXPECT_FALSE(pathGlobCovers(Glob + "b", Path + "c"));
  EXPECT_TRUE(pathGlobMatches(Glob + "**/b", Path + "b"));
}

TEST(PathGlob, CoversWhatIsBelow) {
  EXPECT_TRUE(pathGlobCovers("/p/third_party", "/p/third_party/a/b.h"));
  EXPECT_TRUE(pathGlobCovers("/p/third_party/", "/p/third_party"));
  EXPECT_TRUE(pathGlobCovers("/p/**/gen", "/p/x/gen/b.h"));
  EXPECT_FALSE(pathGlobCovers("/p/third_party", "/p/third_party_too/a.h"));
}

TEST(PathGlob, PathsBelowAFolder) {
  EXPECT_EQ(pathBelow("/p/src/../a.cpp", "/p"), "a.cpp");
  EXPECT_EQ(pathBelow("/p/a.cpp", "/p/"), "a.cpp");
  EXPECT_EQ(pathBelow("/pp/a.cpp", "/p"), "/pp/a.cpp");
  EXPECT_EQ(pathBelow("/p/a.cpp", "/"), "/p/a.cpp");
  EXPECT_EQ(pathBelow("a.cpp", "."), "a.cpp");
}

} // namespace
