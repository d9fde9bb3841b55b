//===- ProjectFilesTest.cpp - which files are the project's ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Workspace/TempTree.h"
#include "opsig/Workspace/ProjectFiles.h"

using namespace opsig;

namespace {

class ProjectFilesTest : public TempTree {
protected:
  ProjectFiles project(std::vector<std::string> Sources, const std::string &Build = "") {
    for (std::string &Source : Sources) {
      add(Source);
      Source = path(Source);
    }
    return ProjectFiles(Sources, Build.empty() ? "" : path(Build));
  }
  bool contains(const ProjectFiles &Project, const std::string &File) {
    add(File);
    return Project.contain(path(File));
  }
};

TEST_F(ProjectFilesTest, BelowTheNearestSettingsOrRepository) {
  add("repo/.git/config");
  ProjectFiles Repository = project({"repo/src/a.cpp"});
  EXPECT_EQ(Repository.root(), path("repo"));
  EXPECT_TRUE(contains(Repository, "repo/include/a.h"));
  EXPECT_TRUE(contains(Repository, "repo/src/a.h"));
  EXPECT_FALSE(contains(Repository, "outside/a.h"));
  EXPECT_FALSE(contains(Repository, "repository/a.h"));

  add("repo/kernels/.opsig.yaml");
  ProjectFiles Settings = project({"repo/kernels/src/a.cpp"});
  EXPECT_EQ(Settings.root(), path("repo/kernels"));
  EXPECT_TRUE(contains(Settings, "repo/kernels/a.h"));
  EXPECT_FALSE(contains(Settings, "repo/include/a.h"));
}

TEST_F(ProjectFilesTest, BelowAGivenRootByName) {
  add(".git/config");
  add("elsewhere/.git/config");
  add("elsewhere/src/a.cpp");
  add("elsewhere/src/a.h");
  add("elsewhere/lib/b.h");
  add("laid/out/own.h");
  ASSERT_FALSE(llvm::sys::fs::create_link(path("elsewhere/src"), path("laid/out/src")));
  ASSERT_FALSE(llvm::sys::fs::create_link(path("elsewhere/lib/b.h"), path("laid/out/b.h")));
  ProjectFiles Project({path("laid/out/src/a.cpp")}, "", path("laid/out"));
  EXPECT_EQ(Project.root(), path("laid/out"));
  EXPECT_TRUE(Project.contain(path("laid/out/src/a.cpp")));
  EXPECT_TRUE(Project.contain(path("laid/out/src/a.h")));
  EXPECT_TRUE(Project.contain(path("laid/out/b.h")));
  EXPECT_TRUE(Project.contain(path("laid/out/own.h")));
  EXPECT_FALSE(Project.contain(path("elsewhere/src/a.h")));
  EXPECT_FALSE(contains(Project, "laid/a.h"));
  add("laid/out/torch/ATen/ATen.h");
  add("laid/out/torch/torch/version.h", "#define TORCH_VERSION \"9.1.0\"\n");
  EXPECT_FALSE(contains(Project, "laid/out/torch/c10/a.h"));

  // By default links are followed.
  EXPECT_EQ(ProjectFiles({path("laid/out/src/a.cpp")}, "").root(), path("elsewhere"));
}

TEST_F(ProjectFilesTest, NotInWhatIsOthers) {
  add("repo/.git/config");
  ProjectFiles Project = project({"repo/src/a.cpp"}, "repo/build");
  EXPECT_FALSE(contains(Project, "repo/build/gen/a.h"));
  add("repo/third_party/sub/.git", "gitdir: ../../.git/modules/sub\n"); // a submodule's is a file
  EXPECT_FALSE(contains(Project, "repo/third_party/sub/include/a.h"));
  EXPECT_TRUE(contains(Project, "repo/third_party/a.h"));
  EXPECT_FALSE(contains(Project, "repo/.venv/lib/python3.12/site-packages/fmt/include/a.h"));
  add("repo/vendor/torch/include/ATen/ATen.h");
  add("repo/vendor/torch/include/torch/version.h", "#define TORCH_VERSION \"9.1.0\"\n");
  EXPECT_FALSE(contains(Project, "repo/vendor/torch/include/c10/a.h"));
  EXPECT_FALSE(contains(Project, "repo/vendor/torch/include/ATen/ATen.h"));
  EXPECT_TRUE(contains(Project, "repo/ATen/a.h")); // a folder of that name is no PyTorch
}

TEST_F(ProjectFilesTest, APyTorchOfOnesOwn) {
  add("pytorch/.git/config");
  add("pytorch/version.txt", "9.1.0a0");
  ProjectFiles Project = project({"pytorch/aten/src/ATen/native/Add.cpp"});
  EXPECT_TRUE(contains(Project, "pytorch/aten/src/ATen/native/Add.h"));
}

TEST_F(ProjectFilesTest, SourcesWhereverTheyAre) {
  add("repo/.git/config");
  ProjectFiles Project = project(
      {"repo/src/a.cpp", "repo/src/b.cpp", "repo/build/gen.cpp", "elsewhere/c.cpp"}, "repo/build");
  EXPECT_TRUE(contains(Project, "repo/build/gen.cpp"));
  EXPECT_TRUE(contains(Project, "elsewhere/c.cpp"));
  EXPECT_FALSE(contains(Project, "repo/build/gen.h"));
  EXPECT_FALSE(contains(Project, "elsewhere/c.h"));
}

TEST_F(ProjectFilesTest, ABuildAmongTheSources) {
  add("repo/.git/config");
  ProjectFiles Project = project({"repo/sub/a.cpp", "repo/sub/b.cpp"}, "repo/sub");
  EXPECT_TRUE(contains(Project, "repo/sub/a.h"));
}

TEST_F(ProjectFilesTest, WithoutSettingsOrRepository) {
  ProjectFiles Project = project({"p/src/x/a.cpp", "p/src/y/b.cpp"});
  EXPECT_EQ(Project.root(), path("p/src"));
  EXPECT_TRUE(contains(Project, "p/src/a.h"));
  EXPECT_FALSE(contains(Project, "p/include/a.h"));
}

TEST_F(ProjectFilesTest, LinksAreFollowed) {
  add("repo/.git/config");
  add("outside/a.h");
  ProjectFiles Project = project({"repo/src/a.cpp"});
  ASSERT_FALSE(llvm::sys::fs::create_link(path("outside"), path("repo/linked")));
  EXPECT_FALSE(Project.contain(path("repo/linked/a.h")));
  ASSERT_FALSE(llvm::sys::fs::create_link(path("repo/src"), path("outside/src")));
  add("repo/src/b.h");
  EXPECT_TRUE(Project.contain(path("outside/src/b.h")));
  EXPECT_TRUE(Project.contain(path("repo/src/../src/b.h")));
}

} // namespace
