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
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
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
  /// All files of the folder, sorted; "(staged)" for a folder with parts.
  std::string listing() const {
    std::vector<std::string> Names;
    std::error_code EC;
    for (fs::directory_iterator I(Root, EC), End; I != End && !EC; I.increment(EC)) {
      std::string Name = I->path().substr(Root.size() + 1);
      Names.push_back(StringRef(Name).starts_with(".opsig-part-") ? "(staged)" : Name);
    }
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
    EXPECT_EQ("(staged) old", listing());
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
  EXPECT_EQ("(staged) first second", listing());
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
  EXPECT_EQ("(staged) same", listing());
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

TEST_F(StagedFilesTest, AFailedCommitTakesAllBack) {
  put("a", "old");
  StagedFiles Staged;
  for (const char *Name : {"c", "b", "a", "0/new"})
    cantFail(Staged.stage(path(Name), "new"));
  ASSERT_FALSE(fs::create_directory(path("b")));
  EXPECT_EQ("cannot write '" + path("b") + "': Is a directory; no file was changed",
            commit(Staged));
  EXPECT_EQ("old", get("a"));
  EXPECT_EQ("(none)", get("c"));
  EXPECT_EQ("a b", listing());
}

TEST_F(StagedFilesTest, ANewFolderAppearsAtOnce) {
  {
    StagedFiles Staged;
    cantFail(Staged.stage(path("new/a"), "a"));
    cantFail(Staged.stage(path("new/deep/b"), "b"));
    EXPECT_EQ("(staged)", listing());
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
  EXPECT_EQ("(staged)", listing());
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

//===----------------------------------------------------------------------===//
// Edits
//===----------------------------------------------------------------------===//

class StagedEditTest : public StagedFilesTest {
protected:
  std::string edit(StringRef Name, StringRef Before, StringRef Text,
                   ArrayRef<std::string> Known = {}) {
    StagedFiles Staged;
    if (Error E = Staged.edit(path(Name), Before, Text, Known))
      return toString(std::move(E));
    return commit(Staged);
  }
  std::string meanwhile(StringRef Name) const {
    return "'" + path(Name) +
           "' was changed by another program during this run; no file was changed";
  }
  struct stat status(StringRef Name) const {
    struct stat Status = {};
    ::stat(path(Name).c_str(), &Status);
    return Status;
  }
};

TEST_F(StagedEditTest, AFileThatIsAsItWasReadIsEdited) {
  put("a", "old");
  EXPECT_EQ("1 changed", edit("a", "old", "new"));
  EXPECT_EQ("new", get("a"));
  EXPECT_EQ("a", listing());
}

TEST_F(StagedEditTest, WhatSomebodySavedBeforeStays) {
  put("a", "saved");
  EXPECT_EQ(meanwhile("a"), edit("a", "old", "new"));
  EXPECT_EQ("saved", get("a"));
  EXPECT_EQ("a", listing());
}

TEST_F(StagedEditTest, WhatSomebodySavesBetweenStagingAndCommitStays) {
  for (const char *Name : {"a", "b", "c"})
    put(Name, "old");
  {
    StagedFiles Staged;
    for (const char *Name : {"a", "b", "c"})
      cantFail(Staged.edit(path(Name), "old", "new", {}));
    put("b", "saved");
    EXPECT_EQ(meanwhile("b"), commit(Staged));
  }
  EXPECT_EQ("a b c", listing());
  EXPECT_EQ("old", get("a"));
  EXPECT_EQ("saved", get("b"));
  EXPECT_EQ("old", get("c"));
}

TEST_F(StagedEditTest, AFileThatIsRemovedMeanwhileStaysAway) {
  put("a", "old");
  {
    StagedFiles Staged;
    cantFail(Staged.edit(path("a"), "old", "new", {}));
    ASSERT_FALSE(fs::remove(path("a")));
    EXPECT_EQ(meanwhile("a"), commit(Staged));
  }
  EXPECT_EQ("", listing());
}

TEST_F(StagedEditTest, AFileThatSomebodyIsWritingStays) {
  put("a", "old");
  int Writer = ::open(path("a").c_str(), O_WRONLY | O_APPEND);
  ASSERT_NE(-1, Writer);
  EXPECT_EQ(meanwhile("a"), edit("a", "old", "new"));
  ASSERT_EQ(5, ::write(Writer, "saved", 5));
  ::close(Writer);
  EXPECT_EQ("oldsaved", get("a"));
}

TEST_F(StagedEditTest, WhatAKilledRunHadNotExchangedGoes) {
  put("a", "old");
  EXPECT_EQ(SIGKILL, signalThatEnds([&] {
              StagedFiles Staged;
              cantFail(Staged.edit(path("a"), "old", "new", {}));
              put("a", "saved");
              ::raise(SIGKILL);
            }));
  // Nothing was exchanged yet: the part is nobody's save.
  EXPECT_EQ("(staged) a", listing());
  EXPECT_EQ("1 changed", edit("a", "saved", "newer"));
  EXPECT_EQ("a", listing());
}

TEST_F(StagedEditTest, AStrangersFolderStaysAndIsTold) {
  put("a", "old");
  ASSERT_FALSE(fs::create_directory(path(".opsig-part-mine")));
  put(".opsig-part-mine/notes", "mine");
  put(".opsig-part-notes", "mine");
  put("a.opsig-part", "mine");
  StagedFiles Staged;
  cantFail(Staged.edit(path("a"), "old", "new", {}));
  EXPECT_EQ("1 changed", commit(Staged));
  std::vector<std::string> Left = Staged.left();
  sort(Left);
  EXPECT_EQ(
      "'" + path(".opsig-part-mine") +
          "' has the name of an opsig folder but does not belong to opsig; it is not removed|'" +
          path(".opsig-part-notes") +
          "' has the name of an opsig folder but does not belong to opsig; it is not removed",
      join(Left, "|"));
  EXPECT_EQ("mine", get(".opsig-part-mine/notes"));
  EXPECT_EQ("mine", get(".opsig-part-notes"));
  EXPECT_EQ("mine", get("a.opsig-part"));
}

TEST_F(StagedEditTest, ALinkThatIsCalledLikeAPartIsNotFollowed) {
  put("a", "old");
  ASSERT_FALSE(fs::create_directory(path("precious")));
  put("precious/.opsig-journal", "opsig staging 1\n");
  put("precious/data", "data");
  ASSERT_FALSE(fs::create_link(path("precious"), path(".opsig-part-1-0")));
  StagedFiles Staged;
  cantFail(Staged.edit(path("a"), "old", "new", {}));
  EXPECT_EQ("1 changed", commit(Staged));
  EXPECT_EQ("data", get("precious/data"));
}

TEST_F(StagedEditTest, SavesThatADeadRunExchangedAreToldAndKept) {
  put("a", "old");
  ASSERT_FALSE(fs::create_directory(path(".opsig-part-1-0")));
  // Hashes that neither text has.
  put(".opsig-part-1-0/.opsig-journal", "opsig staging 1\n0000000000000001 0000000000000002 61\n");
  put(".opsig-part-1-0/a", "saved");
  StagedFiles Staged;
  cantFail(Staged.edit(path("a"), "old", "new", {}));
  EXPECT_EQ("1 changed", commit(Staged));
  EXPECT_EQ("'" + path(".opsig-part-1-0") +
                "' was left by a killed run and contains files that were changed afterwards; it "
                "is not removed",
            join(Staged.left(), "|"));
  EXPECT_EQ("saved", get(".opsig-part-1-0/a"));
}

TEST_F(StagedEditTest, ModeAndAttributesStay) {
  put("a", "old");
  ASSERT_EQ(0, ::chmod(path("a").c_str(), 0640));
  bool HasAttributes = ::setxattr(path("a").c_str(), "user.note", "kept", 4, 0) == 0;
  // A folder's ACL is no file's.
  static const char Acl[] = "\2\0\0\0\1\0\7\0\377\377\377\377\4\0\7\0\377\377\377\377"
                            "\40\0\7\0\377\377\377\377";
  ::setxattr(Root.c_str(), "system.posix_acl_default", Acl, sizeof(Acl) - 1, 0);
  EXPECT_EQ("1 changed", edit("a", "old", "new"));
  EXPECT_EQ(0640u, status("a").st_mode & 07777);
  char Value[8];
  if (HasAttributes)
    EXPECT_EQ(4, ::getxattr(path("a").c_str(), "user.note", Value, sizeof(Value)));
}

TEST_F(StagedEditTest, TheOwnerStays) {
  put("a", "old");
  if (::chown(path("a").c_str(), 1234, 4321) != 0)
    GTEST_SKIP() << "only root may give a file away";
  EXPECT_EQ("1 changed", edit("a", "old", "new"));
  EXPECT_EQ(1234u, status("a").st_uid);
  EXPECT_EQ(4321u, status("a").st_gid);
}

TEST_F(StagedEditTest, AFileWhoseOwnerCannotBeKeptIsRefused) {
  // The folder for temporary files may be one that others cannot enter.
  fs::remove_directories(Root);
  Root = "/tmp/opsig-staged-XXXXXX";
  ASSERT_NE(nullptr, ::mkdtemp(const_cast<char *>(Root.c_str())));
  put("a", "old");
  if (::chown(path("a").c_str(), 1234, 4321) != 0)
    GTEST_SKIP() << "only root may give a file away";
  ::chmod(path("a").c_str(), 0666);
  ::chmod(Root.c_str(), 0777);
  EXPECT_EQ(-1, signalThatEnds([&] {
    if (::setgid(4711) != 0 || ::setuid(4711) != 0)
      ::raise(SIGABRT);
    if (edit("a", "old", "new") != "cannot keep the owner of '" + path("a") +
                                       "': Operation not permitted; no file was changed")
      ::raise(SIGABRT);
  }));
  EXPECT_EQ("old", get("a"));
  EXPECT_EQ("a", listing());
}

TEST_F(StagedEditTest, AFileThatItsUserMayNotWriteIsRefused) {
  put("a", "old");
  ::chmod(path("a").c_str(), 0444);
  EXPECT_EQ("'" + path("a") + "' is read-only; no file was changed", edit("a", "old", "new"));
  ::chmod(path("a").c_str(), 0644);
  ::chmod(Root.c_str(), 0777);
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can become another user";
  EXPECT_EQ(-1, signalThatEnds([&] {
    if (::setgid(4711) != 0 || ::setuid(4711) != 0)
      ::raise(SIGABRT);
    if (edit("a", "old", "new") !=
        "cannot write '" + path("a") + "': Permission denied; no file was changed")
      ::raise(SIGABRT);
  }));
  EXPECT_EQ("old", get("a"));
}

TEST_F(StagedEditTest, AFileWithUnknownNamesIsRefused) {
  put("a", "old");
  ASSERT_FALSE(fs::create_hard_link(path("a"), path("b")));
  EXPECT_EQ(
      "'" + path("a") +
          "' has 2 hard links, but this run includes only 1 of them; pass the other files too; no "
          "file was changed",
      edit("a", "old", "new"));
  EXPECT_EQ("old", get("b"));
  EXPECT_EQ("a b", listing());
}

TEST_F(StagedEditTest, AFileWithKnownNamesIsEditedOnceAndStaysOne) {
  put("a", "old");
  ASSERT_FALSE(fs::create_directory(path("there")));
  ASSERT_FALSE(fs::create_hard_link(path("a"), path("there/b")));
  EXPECT_EQ("2 changed", edit("a", "old", "new", {path("a"), path("there/b"), path("there/../a")}));
  EXPECT_EQ("new", get("a"));
  EXPECT_EQ("new", get("there/b"));
  EXPECT_EQ(status("a").st_ino, status("there/b").st_ino);
  EXPECT_EQ("a there", listing());
}

TEST_F(StagedEditTest, ALinkIsEditedAtItsTarget) {
  ASSERT_FALSE(fs::create_directory(path("real")));
  put("real/a", "old");
  ASSERT_FALSE(fs::create_link(path("real/a"), path("a")));
  EXPECT_EQ("1 changed", edit("a", "old", "new"));
  EXPECT_EQ("new", get("real/a"));
  EXPECT_TRUE(fs::is_symlink_file(path("a")));
}

TEST_F(StagedEditTest, APipeIsNoFile) {
  ASSERT_EQ(0, ::mkfifo(path("pipe").c_str(), 0600));
  StagedFiles Staged;
  EXPECT_EQ("cannot write '" + path("pipe") + "': it is a pipe or a device",
            toString(Staged.stage(path("pipe"), "text")));
}

} // namespace
