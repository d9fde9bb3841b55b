//===- IncludeFoldersTest.cpp - where a compile command looks for headers ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Frontend/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace opsig;

namespace {

using Strings = std::vector<std::string>;

Strings folders(const Strings &Flags, const std::string &Directory = "") {
  ParseJob Job = CompileCommands::fixed(Flags).job("a.cpp");
  Job.Directory = Directory;
  return includeFolders(Job);
}

TEST(IncludeFolders, InTheOrderOfTheSearch) {
  EXPECT_EQ(folders({"-nostdinc", "-nostdinc++", "-idirafter", "/after", "-isystem", "/sys", "-I/i",
                     "-iquote", "/quoted", "-I", "/j"}),
            (Strings{"/quoted", "/i", "/j", "/sys", "/after"}));
}

TEST(IncludeFolders, FromTheCommandsOwnFolder) {
  EXPECT_EQ(folders({"-nostdinc", "-nostdinc++", "-Isub"}, "/usr"), (Strings{"/usr/sub"}));
}

TEST(IncludeFolders, TheSystemsAreAmongThem) {
  Strings All = folders({"-I/mine"});
  ASSERT_FALSE(All.empty());
  EXPECT_EQ(All.front(), "/mine");
  EXPECT_TRUE(llvm::is_contained(All, "/usr/include"));
}

TEST(IncludeFolders, FlagsThatNobodyKnowsDoNotMatter) {
  EXPECT_TRUE(llvm::is_contained(folders({"--no-such-flag", "-I/mine"}), "/mine"));
}

} // namespace
