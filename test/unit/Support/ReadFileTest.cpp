//===- ReadFileTest.cpp - files that change while they are read ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gtest/gtest.h"
#include "opsig/Support/ReadFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace opsig;

namespace {

TEST(ReadFile, TextStaysWhereTheFileGetsShorter) {
  llvm::SmallString<128> Path;
  int File;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("opsig", "txt", File, Path));
  // More than what is read at once: a mapped text would be gone, and with it the process.
  constexpr size_t Size = 300'001;
  llvm::raw_fd_ostream(File, /*shouldClose=*/false) << std::string(Size, 'x');
  auto Text = readWholeFile(Path, ~uint64_t(0));
  ASSERT_TRUE(bool(Text)) << llvm::toString(Text.takeError());
  ASSERT_FALSE(llvm::sys::fs::resize_file(File, 0));
  EXPECT_EQ((*Text)->getBuffer().size(), Size);
  EXPECT_EQ((*Text)->getBuffer().count('x'), Size);
  llvm::sys::fs::file_t Open = File;
  llvm::sys::fs::closeFile(Open);
  llvm::sys::fs::remove(Path);
}

} // namespace
