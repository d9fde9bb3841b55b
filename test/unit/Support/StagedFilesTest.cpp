//===- StagedFilesTest.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Support/StagedFiles.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace opsig;
namespace fs = llvm::sys::fs;

namespace {

class StagedFilesTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(fs::createUniqueDirectory("opsig-staged", Root)); }
  void TearDown() override { fs::remove_directories(Root); }

  std::string path(const Twine &Name) const { return (Root + "/" + Name).str(); }
  void put(StringRef Name, StringRef Text) {
    std::error_code EC;
    raw_fd_ostream(path(Name), EC) << Text;
    ASSERT_FALSE(EC);
  }
  std::string get(StringRef Name) const {
    auto Buffer = MemoryBuffer::getFile(path(Name));
    return Buffer ? (*Buffer)->getBuffer().str() : "(none)";
  }
  /// All files of the folder, sorted.
  std::string listing() const {
    std::vector<std::string> Names;
    std::error_code EC;
    for (fs::directory_iterator I(Root, EC), End; I != End && !EC; I.increment(EC))
      Names.push_back(I->path().substr(Root.size() + 1));
    sort(Names);
    return join(Names, " ");
  }
  static std::string commit(StagedFiles &Staged) {
    Expected<unsigned> Changed = Staged.commit();
    return Changed ? utostr(*Changed) + " changed" : toString(Changed.takeError());
  }
  /// Runs \p Body in a process of its own and returns how that ended: the signal, or -1.
  static int signalThatEnds(function_ref<void()> Body) {
    pid_t Child = ::fork();
    if (Child == 0) {
      // A shell in the background hands interrupts on as ignored.
      for (int Signal : {SIGINT, SIGTERM, SIGHUP})
        ::signal(Signal, SIG_DFL);
      Body();
      ::_exit(0);
    }
    int Status = 0;
    ::waitpid(Child, &Status, 0);
    return WIFSIGNALED(Status) ? WTERMSIG(Status) : -1;
  }

  SmallString<128> Root;
};

TEST_F(StagedFilesTest, NothingChangesWithoutCommit) {
  put("old", "old");
  {
    StagedFiles Staged;
    cantFail(Staged.stage(path("old"), "new"));
    cantFail(Staged.stage(path("fresh"), "new"));
    EXPECT_EQ("fresh.opsig-part old old.opsig-part", listing());
    EXPECT_EQ("old", get("old"));
  }
  EXPECT_EQ("old", listing());
  EXPECT_EQ("old", get("old"));
}

TEST_F(StagedFilesTest, ThreadsStageTogether) {
  StagedFiles Staged;
  auto stageSome = [&](unsigned From) {
    for (unsigned I = From; I < 200; I += 4)
      cantFail(Staged.stage(path("deep" + Twine(I % 3) + "/f" + Twine(I)), utostr(I)));
  };
  std::vector<std::thread> Threads;
  for (unsigned I = 0; I < 4; ++I)
    Threads.emplace_back(stageSome, I);
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ("200 changed", commit(Staged));
  for (unsigned I = 0; I < 200; ++I)
    EXPECT_EQ(utostr(I), get("deep" + utostr(I % 3) + "/f" + utostr(I)));
}

TEST_F(StagedFilesTest, ARunTakesOverWhatAKilledOneLeft) {
  put("first", "old");
  put("second", "old");
  EXPECT_EQ(SIGKILL, signalThatEnds([&] {
              StagedFiles Staged;
              cantFail(Staged.stage(path("first"), "new"));
              cantFail(Staged.stage(path("second"), "something longer"));
              ::raise(SIGKILL);
            }));
  EXPECT_EQ("first first.opsig-part second second.opsig-part", listing());
  EXPECT_EQ("old", get("first"));

  StagedFiles Staged;
  cantFail(Staged.stage(path("first"), "new"));
  cantFail(Staged.stage(path("second"), "new"));
  EXPECT_EQ("2 changed", commit(Staged));
  EXPECT_EQ("first second", listing());
  EXPECT_EQ("new", get("second"));
}

TEST_F(StagedFilesTest, WhatAKilledRunLeftGoesAlsoWhereNothingChanges) {
  put("same", "old");
  EXPECT_EQ(SIGKILL, signalThatEnds([&] {
              StagedFiles Staged;
              cantFail(Staged.stage(path("same"), "new"));
              cantFail(Staged.stage(path("no-longer-made"), "new"));
              cantFail(Staged.stage(path("folder/no-longer-made"), "new"));
              ::raise(SIGKILL);
            }));
  EXPECT_EQ("folder.opsig-part no-longer-made.opsig-part same same.opsig-part", listing());
  StagedFiles Staged;
  cantFail(Staged.stage(path("same"), "old"));
  EXPECT_EQ("0 changed", commit(Staged));
  EXPECT_EQ("same", listing());
}

TEST_F(StagedFilesTest, TheTreeOfARunThatLivesStays) {
  put("there", "old");
  StagedFiles One;
  cantFail(One.stage(path("new/one"), "1"));
  EXPECT_EQ(-1, signalThatEnds([&] {
    StagedFiles Other;
    cantFail(Other.stage(path("there"), "new"));
    cantFail(Other.commit().takeError());
  }));
  EXPECT_EQ("1 changed", commit(One));
  EXPECT_EQ("new there", listing());
}

TEST_F(StagedFilesTest, OneFolderInTwoSpellingsHasOneLock) {
  ASSERT_FALSE(fs::create_directory(path("there")));
  put("there/a", "old");
  put("there/b", "old");
  EXPECT_EQ(SIGKILL, signalThatEnds([&] {
              StagedFiles Staged;
              cantFail(Staged.stage(path("there/a"), "new"));
              cantFail(Staged.stage(path("there/../there/b"), "new"));
              ::raise(SIGKILL);
            }));
  StagedFiles Staged;
  cantFail(Staged.stage(path("there/../there/a"), "new"));
  cantFail(Staged.stage(path("there/b"), "new"));
  EXPECT_EQ("2 changed", commit(Staged));
  std::error_code EC;
  unsigned NumFiles = 0;
  for (fs::directory_iterator I(path("there"), EC), End; I != End && !EC; I.increment(EC))
    ++NumFiles;
  EXPECT_EQ(2u, NumFiles);
}

TEST_F(StagedFilesTest, AFileOverItsLimitIsAnError) {
  EXPECT_EQ(-1, signalThatEnds([&] {
    rlimit Limit = {4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &Limit);
    std::string Message;
    {
      StagedFiles Staged;
      Message = toString(Staged.stage(path("big"), std::string(100000, 'x')));
    }
    if (Message != "cannot write '" + path("big") + "': File too large")
      ::raise(SIGABRT);
  }));
  EXPECT_EQ("", listing());
}

TEST_F(StagedFilesTest, AnInterruptBeforeCommitChangesNothing) {
  put("first", "old");
  for (int Signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EQ(Signal, signalThatEnds([&] {
                StagedFiles Staged;
                cantFail(Staged.stage(path("first"), "new"));
                ::raise(Signal);
                consumeError(Staged.stage(path("second"), "new"));
              }));
    EXPECT_EQ("first", listing());
    EXPECT_EQ("old", get("first"));
  }
}

TEST_F(StagedFilesTest, AnInterruptIsTold) {
  EXPECT_EQ(SIGINT, signalThatEnds([&] {
              StagedFiles Staged;
              ::raise(SIGINT);
              if (toString(Staged.stage(path("x"), "")) != "interrupted; no file was changed")
                ::raise(SIGABRT);
            }));
}

TEST_F(StagedFilesTest, AnInterruptDuringCommitWaitsForItsEnd) {
  EXPECT_EQ(SIGINT, signalThatEnds([&] {
              StagedFiles Staged;
              for (unsigned I = 0; I < 10; ++I)
                cantFail(Staged.stage(path(Twine(I)), "new"));
              ::raise(SIGINT);
              cantFail(Staged.commit().takeError());
            }));
  EXPECT_EQ("0 1 2 3 4 5 6 7 8 9", listing());
}

TEST_F(StagedFilesTest, AnIgnoredInterruptStaysIgnored) {
  EXPECT_EQ(-1, signalThatEnds([&] {
    ::signal(SIGHUP, SIG_IGN);
    StagedFiles Staged;
    ::raise(SIGHUP);
    cantFail(Staged.stage(path("first"), "new"));
    cantFail(Staged.commit().takeError());
  }));
  EXPECT_EQ("first", listing());
}

TEST_F(StagedFilesTest, TwoRunsDoNotShareParts) {
  StagedFiles One;
  cantFail(One.stage(path("same"), "one"));
  EXPECT_EQ(-1, signalThatEnds([&] {
    StagedFiles Other;
    cantFail(Other.stage(path("same"), "other"));
    cantFail(Other.commit().takeError());
  }));
  EXPECT_EQ("other", get("same"));
  EXPECT_EQ("1 changed", commit(One));
  EXPECT_EQ("one", get("same"));
  EXPECT_EQ("same", listing());
}

TEST_F(StagedFilesTest, AFailedCommitSaysHowFarItCame) {
  StagedFiles Staged;
  for (const char *Name : {"c", "b", "a"})
    cantFail(Staged.stage(path(Name), "new"));
  ASSERT_FALSE(fs::create_directory(path("b")));
  EXPECT_EQ("cannot write '" + path("b") +
                "': Is a directory; 1 files that come before it are new, 2 are as they were",
            commit(Staged));
  EXPECT_EQ("new", get("a"));
  EXPECT_EQ("(none)", get("c"));
}

TEST_F(StagedFilesTest, ANewFolderAppearsAtOnce) {
  {
    StagedFiles Staged;
    cantFail(Staged.stage(path("new/a"), "a"));
    cantFail(Staged.stage(path("new/deep/b"), "b"));
    EXPECT_EQ("new.opsig-part", listing());
  }
  EXPECT_EQ("", listing());

  StagedFiles Staged;
  cantFail(Staged.stage(path("new/deep/b"), "b"));
  cantFail(Staged.stage(path("new/a"), "a"));
  cantFail(Staged.stage(path("other/c"), "c"));
  cantFail(Staged.stage(path("d"), "d"));
  EXPECT_EQ("4 changed", commit(Staged));
  EXPECT_EQ("d new other", listing());
  EXPECT_EQ("a", get("new/a"));
  EXPECT_EQ("b", get("new/deep/b"));
  EXPECT_EQ("c", get("other/c"));
}

TEST_F(StagedFilesTest, ANewFolderThatAKilledRunLeftIsTakenOver) {
  EXPECT_EQ(SIGKILL, signalThatEnds([&] {
              StagedFiles Staged;
              cantFail(Staged.stage(path("new/no-longer-made"), "x"));
              cantFail(Staged.stage(path("new/deep/b"), "x"));
              ::raise(SIGKILL);
            }));
  EXPECT_EQ("new.opsig-part", listing());
  StagedFiles Staged;
  cantFail(Staged.stage(path("new/a"), "a"));
  EXPECT_EQ("1 changed", commit(Staged));
  EXPECT_EQ("new", listing());
  EXPECT_EQ("a", get("new/a"));
  EXPECT_EQ("(none)", get("new/no-longer-made"));
  EXPECT_EQ("(none)", get("new/deep/b"));
}

TEST_F(StagedFilesTest, TwoRunsMayMakeTheSameFolder) {
  StagedFiles One;
  cantFail(One.stage(path("new/one"), "1"));
  cantFail(One.stage(path("new/deep/one"), "1"));
  EXPECT_EQ(-1, signalThatEnds([&] {
    StagedFiles Other;
    cantFail(Other.stage(path("new/other"), "2"));
    cantFail(Other.stage(path("new/deep/other"), "2"));
    cantFail(Other.commit().takeError());
  }));
  EXPECT_EQ("2 changed", commit(One));
  EXPECT_EQ("new", listing());
  for (const char *Name : {"new/one", "new/deep/one"})
    EXPECT_EQ("1", get(Name));
  for (const char *Name : {"new/other", "new/deep/other"})
    EXPECT_EQ("2", get(Name));
}

TEST_F(StagedFilesTest, FoldersMayBeSpelledInAnyWay) {
  ASSERT_FALSE(fs::create_directory(path("there")));
  StagedFiles Staged;
  cantFail(Staged.stage(path("there/../new/a"), "a"));
  cantFail(Staged.stage(path("new/./b"), "b"));
  cantFail(Staged.stage(path("new//c"), "c"));
  EXPECT_EQ("3 changed", commit(Staged));
  EXPECT_EQ("new there", listing());
  for (const char *Name : {"a", "b", "c"})
    EXPECT_EQ(Name, get("new/" + std::string(Name)));
}

TEST_F(StagedFilesTest, ALinkIntoAnotherFolderIsFollowed) {
  ASSERT_FALSE(fs::create_directory(path("there")));
  put("there/real", "old");
  ASSERT_FALSE(fs::create_link(path("there/real"), path("link")));
  StagedFiles Staged;
  cantFail(Staged.stage(path("link"), "new"));
  EXPECT_EQ("1 changed", commit(Staged));
  EXPECT_EQ("new", get("there/real"));
  EXPECT_EQ("link there", listing());
}

} // namespace
