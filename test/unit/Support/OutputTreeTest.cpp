//===- OutputTreeTest.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Support/OutputTree.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace opsig;
namespace fs = llvm::sys::fs;

namespace {

class OutputTreeTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(fs::createUniqueDirectory("opsig-output", Root)); }
  void TearDown() override { fs::remove_directories(Root); }

  std::string path(StringRef Name) const { return (Root + "/" + Name).str(); }

  void put(StringRef Name, StringRef Text) {
    std::error_code EC;
    raw_fd_ostream(path(Name), EC) << Text;
    ASSERT_FALSE(EC);
  }
  std::string get(StringRef Name) const {
    auto Buffer = MemoryBuffer::getFile(path(Name));
    return Buffer ? (*Buffer)->getBuffer().str() : "(none)";
  }
  fs::file_status status(StringRef Name) const {
    fs::file_status Status;
    fs::status(path(Name), Status);
    return Status;
  }

  /// All files below the root, sorted.
  std::string listing() const {
    std::vector<std::string> Names;
    std::error_code EC;
    for (fs::recursive_directory_iterator I(Root, EC), End; I != End && !EC; I.increment(EC))
      if (fs::is_regular_file(I->path()))
        Names.push_back(I->path().substr(Root.size() + 1));
    sort(Names);
    return join(Names, " ");
  }

  /// "2 changed", or the error.
  static std::string commit(const OutputTree &Tree) {
    Expected<unsigned> Changed = Tree.commit();
    return Changed ? utostr(*Changed) + " changed" : toString(Changed.takeError());
  }

  SmallString<128> Root;
};

TEST_F(OutputTreeTest, WritesFilesAndMakesFolders) {
  OutputTree Tree;
  Tree.add(path("a.h"), "text\n");
  Tree.add(path("deep/er/b.cpp"), "");
  EXPECT_EQ("2 changed", commit(Tree));
  EXPECT_EQ("a.h deep/er/b.cpp", listing());
  EXPECT_EQ("text\n", get("a.h"));
  EXPECT_EQ("", get("deep/er/b.cpp"));
}

TEST_F(OutputTreeTest, AFileWithTheSameBytesIsNotTouched) {
  put("same", "x\r\n");
  put("other", "x\n");
  auto Past = sys::TimePoint<>(std::chrono::seconds(1000000000));
  for (StringRef Name : {"same", "other"}) {
    int FD;
    ASSERT_FALSE(fs::openFileForReadWrite(path(Name), FD, fs::CD_OpenExisting, fs::OF_None));
    ASSERT_FALSE(fs::setLastAccessAndModificationTime(FD, Past));
    ::close(FD);
  }
  fs::UniqueID Before = status("same").getUniqueID();
  OutputTree Tree;
  Tree.add(path("same"), "x\r\n");
  Tree.add(path("other"), "x\r\n");
  EXPECT_EQ("1 changed", commit(Tree));
  EXPECT_TRUE(Past == status("same").getLastModificationTime());
  EXPECT_EQ(Before, status("same").getUniqueID());
  EXPECT_FALSE(Past == status("other").getLastModificationTime());
  EXPECT_EQ("x\r\n", get("other"));
}

TEST_F(OutputTreeTest, NothingChangesWhenOneTextCannotBeWritten) {
  put("first", "old");
  put("file", "");
  OutputTree Tree;
  Tree.add(path("first"), "new");
  Tree.add(path("fresh"), "new");
  Tree.add(path("file/below"), "new");
  EXPECT_EQ("cannot write '" + path("file/below") + "': Not a directory", commit(Tree));
  EXPECT_EQ("file first", listing()) << "neither new files nor temporary ones";
  EXPECT_EQ("old", get("first"));
}

TEST_F(OutputTreeTest, AFolderIsNotReplaced) {
  ASSERT_FALSE(fs::create_directory(path("folder")));
  OutputTree Tree;
  Tree.add(path("first"), "new");
  Tree.add(path("folder"), "new");
  EXPECT_EQ("cannot write '" + path("folder") + "': Is a directory", commit(Tree));
  EXPECT_EQ("", listing());
}

TEST_F(OutputTreeTest, AFullDiskLeavesEverythingAsItWas) {
  // A limit on the size of files, in a process of its own, stands in for a full disk.
  put("first", "old");
  pid_t Child = ::fork();
  if (Child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit Limit = {4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &Limit);
    OutputTree Tree;
    Tree.add(path("first"), "new");
    Tree.add(path("second"), std::string(100000, 'x'));
    std::string Expected = "cannot write '" + path("second") + "': File too large";
    ::_exit(commit(Tree) == Expected ? 0 : 1);
  }
  int Status = -1;
  ASSERT_EQ(Child, ::waitpid(Child, &Status, 0));
  EXPECT_EQ(0, Status);
  EXPECT_EQ("first", listing());
  EXPECT_EQ("old", get("first"));
}

TEST_F(OutputTreeTest, KeepsPermissionsAndLinks) {
  put("real", "old");
  ASSERT_FALSE(fs::setPermissions(path("real"), fs::owner_read | fs::owner_write | fs::owner_exe));
  ASSERT_FALSE(fs::create_link(path("real"), path("link")));
  OutputTree Tree;
  Tree.add(path("link"), "new");
  EXPECT_EQ("1 changed", commit(Tree));
  EXPECT_EQ("new", get("real"));
  EXPECT_TRUE(fs::is_symlink_file(path("link")));
  EXPECT_EQ(fs::owner_read | fs::owner_write | fs::owner_exe, status("real").permissions());
}

TEST_F(OutputTreeTest, RemembersItsFilesInOrder) {
  OutputTree Tree;
  Tree.add("b", "1");
  Tree.add("a", "2");
  ASSERT_EQ(2u, Tree.files().size());
  EXPECT_EQ("b", Tree.files()[0].Path);
  EXPECT_EQ("2", Tree.files()[1].Text);
}

} // namespace
