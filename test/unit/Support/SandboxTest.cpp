//===- SandboxTest.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Support/Sandbox.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/thread.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace opsig;
namespace fs = llvm::sys::fs;

namespace {

class SandboxTest : public testing::Test {
protected:
  void SetUp() override {
    if (!sandboxProblem().empty())
      GTEST_SKIP() << sandboxProblem().str();
    ASSERT_FALSE(fs::createUniqueDirectory("sandbox", Folder));
    Kept = path("kept");
    int FD = open(Kept.c_str(), O_CREAT | O_WRONLY, 0600);
    ASSERT_EQ(write(FD, "text", 4), 4);
    close(FD);
  }
  void TearDown() override { fs::remove_directories(Folder); }

  std::string path(llvm::StringRef Name) const {
    llvm::SmallString<128> Path(Folder);
    llvm::sys::path::append(Path, Name);
    return std::string(Path);
  }

  llvm::SmallString<128> Folder;
  std::string Kept;
};

/// Whether \p Result says that the call was refused.
bool refused(long Result) { return Result == -1 && (errno == EACCES || errno == EPERM); }

TEST_F(SandboxTest, Reads) {
  std::string Text(4, ' ');
  runReadOnly([&] {
    int FD = open(Kept.c_str(), O_RDONLY);
    EXPECT_EQ(read(FD, Text.data(), 4), 4);
    close(FD);
    std::error_code Error;
    EXPECT_NE(fs::directory_iterator(Folder, Error), fs::directory_iterator());
    EXPECT_FALSE(Error);
  });
  EXPECT_EQ(Text, "text");
}

TEST_F(SandboxTest, ChangesNothing) {
  runReadOnly([&] {
    const char *File = Kept.c_str();
    std::string New = path("new");
    EXPECT_TRUE(refused(open(New.c_str(), O_CREAT | O_WRONLY, 0600)));
    EXPECT_TRUE(refused(open(File, O_WRONLY)));
    EXPECT_TRUE(refused(open(File, O_RDWR)));
    EXPECT_TRUE(refused(open(File, O_RDONLY | O_TRUNC)));
    EXPECT_TRUE(refused(openat(AT_FDCWD, Folder.c_str(), O_TMPFILE | O_RDWR, 0600)));
    EXPECT_TRUE(refused(creat(New.c_str(), 0600)));
    EXPECT_TRUE(refused(unlink(File)));
    EXPECT_TRUE(refused(rename(File, New.c_str())));
    EXPECT_TRUE(refused(link(File, New.c_str())));
    EXPECT_TRUE(refused(symlink(File, New.c_str())));
    EXPECT_TRUE(refused(mkdir(New.c_str(), 0700)));
    EXPECT_TRUE(refused(rmdir(Folder.c_str())));
    EXPECT_TRUE(refused(truncate(File, 0)));
    EXPECT_TRUE(refused(chmod(File, 0777)));
    EXPECT_TRUE(refused(utimensat(AT_FDCWD, File, nullptr, 0)));
    EXPECT_TRUE(refused(mkfifo(New.c_str(), 0600)));
  });
  uint64_t Size = 0;
  EXPECT_FALSE(fs::file_size(Kept, Size));
  EXPECT_EQ(Size, 4u);
  EXPECT_FALSE(fs::exists(path("new")));
}

TEST_F(SandboxTest, StartsNothing) {
  runReadOnly([&] {
    char True[] = "/bin/true";
    char *Arguments[] = {True, nullptr};
    EXPECT_TRUE(refused(execv(True, Arguments)));
    EXPECT_TRUE(refused(fork()));
    std::string Why;
    EXPECT_LT(llvm::sys::ExecuteAndWait(True, {True}, std::nullopt, {}, 0, 0, &Why), 0);
    EXPECT_TRUE(refused(socket(AF_INET, SOCK_STREAM, 0)));
    EXPECT_TRUE(refused(socket(AF_UNIX, SOCK_STREAM, 0)));
    EXPECT_TRUE(refused(kill(getppid(), 0)));
    int FD = open(True, O_RDONLY);
    EXPECT_EQ(mmap(nullptr, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, FD, 0), MAP_FAILED);
    EXPECT_NE(mmap(nullptr, 1, PROT_READ, MAP_PRIVATE, FD, 0), MAP_FAILED);
    close(FD);
  });
}

TEST_F(SandboxTest, HoldsForThreadsOfTheThread) {
  runReadOnly([&] {
    llvm::thread([&] { EXPECT_TRUE(refused(unlink(Kept.c_str()))); }).join();
    runReadOnly([&] { EXPECT_TRUE(refused(unlink(Kept.c_str()))); });
  });
}

TEST_F(SandboxTest, LeavesOtherThreadsAlone) {
  runReadOnly([] {});
  EXPECT_EQ(unlink(Kept.c_str()), 0);
  std::string Why;
  EXPECT_EQ(llvm::sys::ExecuteAndWait("/bin/true", {"/bin/true"}, std::nullopt, {}, 0, 0, &Why), 0);
}

TEST_F(SandboxTest, ForbidsProgramsAlone) {
  llvm::thread([&] {
    EXPECT_TRUE(forbidPrograms());
    char True[] = "/bin/true";
    char *Arguments[] = {True, nullptr};
    EXPECT_TRUE(refused(execv(True, Arguments)));
    EXPECT_TRUE(refused(socket(AF_INET, SOCK_STREAM, 0)));
    EXPECT_EQ(unlink(Kept.c_str()), 0);
  }).join();
}

} // namespace
