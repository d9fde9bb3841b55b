//===- RunProgramTest.cpp - other programs and what they print ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Support/RunProgram.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace opsig;
namespace fs = llvm::sys::fs;

namespace {

ProgramRun shell(std::string Script) {
  ProgramRun Run;
  Run.Path = "/bin/sh";
  Run.Arguments = {"-c", std::move(Script)};
  return Run;
}

ProgramEnd endOf(const ProgramRun &Run) { return llvm::cantFail(runProgram(Run)); }

TEST(RunProgram, GivesInputAndTakesBothOutputs) {
  ProgramRun Run = shell("wc -c; echo no >&2; exit 3");
  Run.Input.assign(5'000'000, 'x'); // more than any pipe holds
  ProgramEnd End = endOf(Run);
  EXPECT_EQ(End.Is, ProgramEnd::Exited);
  EXPECT_EQ(End.Status, 3);
  EXPECT_EQ(End.Output, "5000000\n");
  EXPECT_EQ(End.Errors, "no\n");
  EXPECT_FALSE(End.succeeded());
}

TEST(RunProgram, InputThatNobodyReads) {
  ProgramRun Run = shell("exec 0<&-; echo done");
  Run.Input.assign(5'000'000, 'x');
  EXPECT_EQ(endOf(Run).Output, "done\n");
}

TEST(RunProgram, TellsWhyOneEnded) {
  ProgramEnd End = endOf(shell("kill -9 $$"));
  EXPECT_EQ(End.Is, ProgramEnd::Signalled);
  EXPECT_EQ(End.why({}), "was killed by signal 9");
  ProgramRun Missing = shell("");
  Missing.Path = "/no/such/program";
  auto Run = runProgram(Missing);
  ASSERT_FALSE(bool(Run));
  EXPECT_EQ(llvm::toString(Run.takeError()),
            "cannot run '/no/such/program': No such file or directory");
}

TEST(RunProgram, KeepsItsLimits) {
  ProgramRun Forever = shell("while :; do :; done");
  Forever.Limits.CpuSeconds = 1;
  EXPECT_EQ(endOf(Forever).Is, ProgramEnd::TookTooLong);
  // Also where the outputs are closed, and what it started has them.
  for (const char *Script : {"sleep 600", "exec >&- 2>&-; sleep 600", "sleep 600 & sleep 600"}) {
    ProgramRun Waiting = shell(Script);
    Waiting.Limits.Seconds = 1;
    EXPECT_EQ(endOf(Waiting).Is, ProgramEnd::TookTooLong) << Script;
  }
  ProgramRun Still = shell("sleep 600");
  Still.Limits.IdleSeconds = 1;
  EXPECT_EQ(endOf(Still).Is, ProgramEnd::StoodStill);
  EXPECT_EQ(endOf(Still).why(Still.Limits), "did nothing for 1 s");
  // One that computes or prints, however seldom, does not.
  ProgramRun Slow = shell("for i in 1 2 3 4 5 6; do sleep 0.5; echo; done");
  Slow.Limits.IdleSeconds = 2;
  EXPECT_TRUE(endOf(Slow).succeeded());
  ProgramRun Loud = shell("while :; do echo something; done");
  Loud.Limits.Output = 100'000;
  EXPECT_EQ(endOf(Loud).Is, ProgramEnd::PrintedTooMuch);
}

TEST(RunProgram, HandsOnNothing) {
  int Fd = ::open("/dev/null", O_RDONLY); // without FD_CLOEXEC
  ::setenv("GIT_DIR", "x", 1);
  ::setenv("LD_PRELOAD_OF_TEST", "x", 1);
  ProgramRun Run = shell("pwd; env | grep -c OF_TEST; env | grep -c GIT_; "
                         "for fd in 3 4 5 6 7 8 9; do test -e /proc/self/fd/$fd && echo $fd; done; "
                         "echo $OWN");
  Run.Environment = {"OWN=given"};
  EXPECT_EQ(endOf(Run).Output, "/\n0\n0\ngiven\n");
  ::close(Fd);
  ::unsetenv("GIT_DIR");
}

TEST(RunProgram, WritesNoFile) {
  llvm::SmallString<128> Name;
  ASSERT_FALSE(fs::createTemporaryFile("opsig", "test", Name));
  endOf(shell("echo text > '" + Name.str().str() + "'"));
  uint64_t Size = 1;
  EXPECT_FALSE(fs::file_size(Name, Size));
  EXPECT_EQ(Size, 0u);
  fs::remove(Name);
}

class FoundPrograms : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("opsig-test", Top));
    for (const char *Folder : {"/own", "/own/bin", "/other"})
      ASSERT_FALSE(fs::create_directory(Top + Folder));
    for (const char *File : {"/own/bin/tool", "/other/tool"}) {
      std::error_code Error;
      llvm::raw_fd_ostream((Top + File).str(), Error) << "#!/bin/sh\n";
      ASSERT_FALSE(fs::setPermissions(Top + File, fs::all_all));
    }
    if (const char *Path = ::getenv("PATH"))
      Before = Path;
  }
  void TearDown() override {
    ::setenv("PATH", Before.c_str(), 1);
    fs::remove_directories(Top);
  }
  std::optional<std::string> find(std::string Path) {
    ::setenv("PATH", Path.c_str(), 1);
    return findProgram("tool", {(Top + "/own").str()});
  }
  std::string at(llvm::StringRef Path) { return (Top + Path).str(); }

  llvm::SmallString<128> Top;
  std::string Before;
};

TEST_F(FoundPrograms, NotInUntrustedFolders) {
  EXPECT_EQ(find(at("/own/bin") + ":" + at("/other")), at("/other/tool"));
  EXPECT_EQ(find(at("/other/../own/bin") + "::.:bin:" + at("/other")), at("/other/tool"));
  EXPECT_EQ(find(at("/own/bin")), std::nullopt);
  EXPECT_EQ(find(""), std::nullopt);
}

TEST_F(FoundPrograms, LinksAreFollowed) {
  ASSERT_FALSE(fs::create_link(at("/own/bin"), at("/link")));
  EXPECT_EQ(find(at("/link")), std::nullopt);
  fs::remove(at("/other/tool"));
  ASSERT_FALSE(fs::create_link(at("/own/bin/tool"), at("/other/tool")));
  EXPECT_EQ(find(at("/other")), std::nullopt);
}

} // namespace
