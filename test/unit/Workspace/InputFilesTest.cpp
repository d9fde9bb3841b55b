//===- InputFilesTest.cpp - arguments => files -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Workspace/TempTree.h"
#include "opsig/Workspace/InputFiles.h"

using namespace opsig;

namespace {

class InputFilesTest : public TempTree {
protected:
  InputFiles expand(std::vector<std::string> Names, std::vector<std::string> Listed = {},
                    std::vector<std::string> Excluded = {}) {
    InputArguments Arguments;
    for (const std::string &Name : Names)
      Arguments.Names.push_back(path(Name));
    for (std::string &File : Listed)
      File = path(File);
    Arguments.Excluded.add(Excluded, Dir);
    return expandInputs(Arguments, Listed);
  }
  std::vector<std::string> relatives(const std::vector<std::string> &Files) const {
    std::vector<std::string> Out;
    for (const std::string &File : Files)
      Out.push_back(relative(File));
    return Out;
  }
  using Names = std::vector<std::string>;
};

TEST_F(InputFilesTest, FoldersStandForSources) {
  for (const char *File : {"src/b.cpp", "src/deep/a.cu", "src/a.h", "src/op.py", "src/notes.txt",
                           "src/build/x.cpp", "src/third_party/y.cpp", "src/.hidden/z.cpp"})
    add(File);
  InputFiles Found = expand({"src"});
  EXPECT_EQ(relatives(Found.Files), (Names{"src/b.cpp", "src/deep/a.cu"}));
  EXPECT_EQ(relatives(Found.Python.Files), Names{"src/op.py"});
  EXPECT_TRUE(Found.Problems.empty());
  EXPECT_EQ(Found.Left.size(), 2u) << leftOutText(Found.Left);
}

TEST_F(InputFilesTest, IgnoredAndExcludedFilesAreLeftOut) {
  add(".gitignore", "gen/\n");
  for (const char *File : {"a.cpp", "gen/b.cpp", "old/c.cpp", "test/d.cpp"})
    add(File);
  InputFiles Found = expand({""}, {}, {"old", "test/*.cpp"});
  EXPECT_EQ(relatives(Found.Files), Names{"a.cpp"});
}

TEST_F(InputFilesTest, PatternsAndFilesOfSeveralNames) {
  add("src/a.cpp");
  add("src/deep/b.cpp");
  EXPECT_EQ(relatives(expand({"src/**/*.cpp"}).Files), (Names{"src/a.cpp", "src/deep/b.cpp"}));
  InputFiles Twice = expand({"src/a.cpp", "src/./a.cpp", "src"});
  EXPECT_EQ(relatives(Twice.Files), (Names{"src/a.cpp", "src/deep/b.cpp"}));
  EXPECT_TRUE(Twice.Groups[0].IsFile);
  EXPECT_FALSE(Twice.Groups[2].IsFile);
}

TEST_F(InputFilesTest, FoldersOfListedFiles) {
  for (const char *File : {"src/a.cpp", "src/unlisted.cpp", "other/b.cpp", "src/op.py"})
    add(File);
  InputFiles Found = expand({"src"}, {"src/a.cpp", "other/b.cpp"});
  EXPECT_EQ(relatives(Found.Files), Names{"src/a.cpp"});
  EXPECT_EQ(relatives(Found.Python.Files), Names{"src/op.py"});
}

TEST_F(InputFilesTest, ArgumentsThatGiveNothing) {
  add("empty/notes.txt");
  EXPECT_EQ(expand({"empty"}).Problems, Names{"no C++ or Python file in '" + path("empty") + "'"});
  add("headers/inc/a.h");
  add("headers/inc/b.hpp");
  EXPECT_EQ(expand({"headers"}).Problems,
            Names{"no C++ source or Python file in '" + path("headers") +
                  "', only 2 headers; pass the headers that register operators, for example '" +
                  path("headers/inc/a.h") + "'"});
  EXPECT_EQ(expand({"*.cc"}).Problems,
            Names{"'" + path("*.cc") + "' matches no C++ or Python file"});
  EXPECT_EQ(relatives(expand({"missing.cpp"}).Files), Names{"missing.cpp"});
}

} // namespace
