//===- ReadingCommandTest.cpp - a compile command that only reads ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/ReadingCommand.h"
#include "Workspace/TempTree.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace opsig;

namespace {

/// The flags that are left of \p Flags for a.cpp.
Words left(Words Flags, llvm::StringRef Directory = "") {
  Flags.insert(Flags.begin(), "clang++");
  Flags.push_back("a.cpp");
  Words To = forReading(Flags, "a.cpp", Directory).Command;
  EXPECT_EQ(forReading(To, "a.cpp", Directory).Command, To) << testing::PrintToString(Flags);
  EXPECT_EQ(Words(To.end() - 2, To.end()), Words({"--", "a.cpp"}));
  return Words(To.begin() + 1, To.end() - 2);
}

TEST(ReadingCommand, WhatDecidesHowASourceIsReadStays) {
  const Words Flags = {"-Ia",          "-isystem",         "b",
                       "-DX=1",        "-std=c++20",       "-include",
                       "own.h",        "-march=x86-64-v3", "-O2",
                       "-fPIC",        "-fno-exceptions",  "-Wno-register",
                       "--sysroot=/s", "-fopenmp",         "--target=aarch64-linux-gnu"};
  Words Left = left(Flags);
  llvm::sort(Left);
  Words Sorted = Flags;
  llvm::sort(Sorted);
  EXPECT_EQ(Left, Sorted);
}

TEST(ReadingCommand, OfSyclTheHostHasAMacro) {
  EXPECT_EQ(left({"-fsycl", "-DX"}), Words({"-DSYCL_LANGUAGE_VERSION=202012L", "-DX"}));
  EXPECT_EQ(left({"-fsycl", "-fno-sycl"}),
            Words({"-DSYCL_LANGUAGE_VERSION=202012L", "-USYCL_LANGUAGE_VERSION"}));
  EXPECT_EQ(forReading({"clang++", "-fsycl", "a.cpp"}, "a.cpp", "").Dropped, Words({"-fsycl"}));
}

TEST(ReadingCommand, WhatRunsLoadsOrWritesGoes) {
  EXPECT_EQ(left({"-fplugin=x.so",
                  "-MD",
                  "-MF",
                  "a.d",
                  "-o",
                  "a.o",
                  "-c",
                  "-save-temps",
                  "-B",
                  "bin",
                  "--config=x.cfg",
                  "-fmodules-cache-path=m",
                  "-mllvm",
                  "-load=x.so",
                  "-ivfsoverlay",
                  "/dev/zero",
                  "-fprofile-use=p",
                  "-fsanitize-ignorelist=l",
                  "-ftrivial-auto-var-init-stop-after=x",
                  "--driver-mode=cl",
                  "-DX"}),
            Words({"-DX"}));
}

TEST(ReadingCommand, FlagsWithinFlagsAreFlags) {
  EXPECT_EQ(left({"-Xclang", "-include", "-Xclang", "a.h", "-Xclang", "-load", "-Xclang", "x.so",
                  "-Wp,-DY,-MD,a.d", "-Xpreprocessor", "-fopenmp", "-Xarch_host", "-DZ",
                  "-Xarch_device", "-DD"}),
            Words({"-include", "a.h", "-DY", "-fopenmp", "-DZ"}));
}

TEST(ReadingCommand, AGpuAndItsProcessorAreNoTarget) {
  EXPECT_EQ(left({"--target=amdgcn-amd-amdhsa", "-mcpu=native", "-DX"}), Words({"-DX"}));
  EXPECT_EQ(left({"-target", "nvptx64", "-march=native"}), Words());
  EXPECT_EQ(left({"-march=native"}), Words({"-march=native"}));
}

TEST(ReadingCommand, LimitsAreNotRaisedWithoutEnd) {
  EXPECT_EQ(left({"-ftemplate-depth=2000", "-fbracket-depth=99999999999"}),
            Words({"-ftemplate-depth=2000", "-fbracket-depth=4096"}));
}

TEST(ReadingCommand, FlagsThatNobodyKnowsAreTheDriversToTell) {
  EXPECT_EQ(left({"--no-such-flag"}), Words({"--no-such-flag"}));
}

TEST(ReadingCommand, NamesThatLookLikeFlagsAreFiles) {
  EXPECT_EQ(forReading({"clang++", "-DX", "-Wall.cpp"}, "-Wall.cpp", "").Command,
            Words({"clang++", "-DX", "--", "./-Wall.cpp"}));
}

TEST(ReadingCommand, TheCompilersFolderCountsWhereItIsOne) {
  EXPECT_EQ(forReading({"/opt/x/bin/g++", "a.cpp"}, "a.cpp", "").Command.front(), "/opt/x/bin/g++");
  EXPECT_EQ(forReading({"bin/clang++", "a.cpp"}, "a.cpp", "").Command.front(), "clang++");
  EXPECT_EQ(forReading({"/x/clang-cl", "a.cpp"}, "a.cpp", "").Command.front(), "/x/clang++");
  EXPECT_EQ(forReading({}, "a.cpp", "").Command, Words({"clang++", "--", "a.cpp"}));
}

class ReadFiles : public TempTree {};

TEST_F(ReadFiles, ThatNameThemselvesHaveAnEnd) {
  add("self.rsp", "-DSELF @self.rsp @self.rsp");
  Words To = OptionsFiles(Dir).expand({"clang++", "@self.rsp", "@none.rsp", "a.cpp"});
  EXPECT_EQ(llvm::count(To, "-DSELF"), long(MaxOptionsFiles));
  EXPECT_EQ(To.back(), "a.cpp");
  EXPECT_TRUE(llvm::is_contained(To, "@none.rsp"));
}

TEST_F(ReadFiles, ThatMayBeAnythingAreNotShown) {
  add("notes", "-DSAID said"); // outside of what this process works in
  ASSERT_FALSE(llvm::sys::fs::create_link(Dir + "/notes", Dir + "/notes.rsp"));
  for (const char *Name : {"@notes", "@notes.rsp"})
    EXPECT_EQ(OptionsFiles(Dir).expand({Name}), Words{Name});
  EXPECT_EQ(OptionsFiles(Dir, /*Trusted=*/true).expand({"@notes"}), Words({"-DSAID", "said"}));
}

TEST_F(ReadFiles, PrecompiledHeadersAreReadAsText) {
  add("a.h", "");
  EXPECT_EQ(left({"-include-pch", "a.h.pch"}, Dir), Words({"-include", "a.h"}));
  EXPECT_EQ(left({"-include", "a.h", "-include-pch", "a.h.pch"}, Dir), Words({"-include", "a.h"}));
  EXPECT_EQ(left({"-include-pch", "none.h.pch"}, Dir), Words());
}

} // namespace
