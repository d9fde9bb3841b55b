//===- ProjectIncludeDirsTest.cpp - where a project's headers are -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Workspace/TempTree.h"
#include "opsig/Workspace/ProjectIncludeDirs.h"

using namespace opsig;

namespace {

class ProjectIncludeDirsTest : public TempTree {
protected:
  ProjectIncludeDirs headers() {
    add(".git/config");
    std::vector<std::string> Sources = {path("src/a.cpp")};
    return ProjectIncludeDirs(std::make_shared<ProjectFiles>(Sources, ""));
  }
  std::string folderFor(llvm::StringRef Name, bool Angled = true) {
    std::optional<std::string> Folder =
        headers().folderFor(path("src/a.cpp"), {Name.str(), Angled});
    return Folder ? relative(*Folder) : "nowhere";
  }
};

TEST_F(ProjectIncludeDirsTest, IncludeLines) {
  auto Lines = includeLines("#include <a.h>\n  # include \"b/c.h\" // why\n#if 0\n#include\n"
                            "// #include \"no.h\"\n#include \"d.h\"");
  ASSERT_EQ(Lines.size(), 3u);
  EXPECT_EQ(Lines[0].Name, "a.h");
  EXPECT_TRUE(Lines[0].Angled);
  EXPECT_EQ(Lines[1].Name, "b/c.h");
  EXPECT_FALSE(Lines[1].Angled);
  EXPECT_EQ(Lines[2].Name, "d.h");
}

TEST_F(ProjectIncludeDirsTest, TheNearestFolderThatHasIt) {
  add("src/a.cpp");
  add("include/near.h");
  add("incs/other.h");
  add("lib/deep/only/there.h");
  add("one/both/x.h");
  add("two/both/x.h");
  EXPECT_EQ(folderFor("near.h"), "include");
  EXPECT_EQ(folderFor("other.h"), "incs");
  EXPECT_EQ(folderFor("src/a.cpp"), ".");
  EXPECT_EQ(folderFor("only/there.h"), "lib/deep");
  // In angle brackets such a name is rather another library's.
  EXPECT_EQ(folderFor("there.h"), "nowhere");
  EXPECT_EQ(folderFor("there.h", /*Angled=*/false), "lib/deep/only");
  EXPECT_EQ(folderFor("both/x.h"), "nowhere");
}

TEST_F(ProjectIncludeDirsTest, OfSeveralPlacesTheOneInThePart) {
  add("one/src/a.cpp");
  add("one/gen/own.h");
  add("one-more/gen/own.h");
  add("one/x/both.h");
  add("one/y/both.h");
  add("two/deep/alone.h");
  add("two/gen/own.h");
  std::vector<std::string> Sources = {path("one/src/a.cpp")};
  add(".git/config");
  ProjectIncludeDirs Headers(std::make_shared<ProjectFiles>(Sources, ""), path("one"));
  auto FolderFor = [&](llvm::StringRef Name) {
    auto Folder = Headers.folderFor(path("one/src/a.cpp"), {Name.str(), /*Angled=*/false});
    return Folder ? relative(*Folder) : "nowhere";
  };
  EXPECT_EQ(FolderFor("own.h"), "one/gen");
  EXPECT_EQ(FolderFor("both.h"), "nowhere");
  EXPECT_EQ(FolderFor("alone.h"), "two/deep");
}

TEST_F(ProjectIncludeDirsTest, FoldersForAllThatSourcesLeadTo) {
  add("src/a.cpp", "#include \"beside.h\"\n#include <first.h>\n#include <vector>\n");
  add("src/beside.h", "#include \"kernels/second.h\"\n");
  add("include/first.h", "#include \"first.h\"\n");
  add("core/kernels/second.h");
  add("system/vector");
  auto Folders = headers().foldersFor({path("src/a.cpp")}, {path("system")});
  ASSERT_EQ(Folders.size(), 2u);
  EXPECT_EQ(relative(Folders[0].Path), "core");
  EXPECT_EQ(relative(Folders[1].Path), "include");
}

} // namespace
