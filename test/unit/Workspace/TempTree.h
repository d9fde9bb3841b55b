//===- TempTree.h - files of a test ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TEST_UNIT_CHECK_TEMPTREE_H
#define OPSIG_TEST_UNIT_CHECK_TEMPTREE_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

/// A test with a folder of its own, which is gone at its end.
class TempTree : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> Made;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("opsig-test", Made));
    ASSERT_FALSE(llvm::sys::fs::real_path(Made, Dir));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Dir); }

  std::string path(llvm::StringRef Name) const {
    llvm::SmallString<128> Path(Dir);
    if (!Name.empty())
      llvm::sys::path::append(Path, Name);
    return std::string(Path);
  }
  std::string relative(llvm::StringRef Path) const {
    return Path == Dir ? "." : Path.drop_front(Dir.size() + 1).str();
  }
  void add(llvm::StringRef Name, llvm::StringRef Text = "") {
    std::string Path = path(Name);
    ASSERT_FALSE(llvm::sys::fs::create_directories(llvm::sys::path::parent_path(Path)));
    std::error_code Error;
    llvm::raw_fd_ostream(Path, Error) << Text;
    ASSERT_FALSE(Error);
  }

  llvm::SmallString<128> Dir;
};

#endif
