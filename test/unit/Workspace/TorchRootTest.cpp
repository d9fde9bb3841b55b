//===- TorchRootTest.cpp - which PyTorch a folder has ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Workspace/TempTree.h"
#include "opsig/Workspace/TorchRoot.h"
#include <gtest/gtest.h>

using namespace opsig;

namespace {

using Strings = std::vector<std::string>;

class TorchRootTest : public TempTree {
protected:
  /// What an installed package has.
  void addPackage(const std::string &Dir, const std::string &Version) {
    add(Dir + "/torchgen/packaged/ATen/native/native_functions.yaml");
    add(Dir + "/torch/version.py", "__all__ = ['__version__']\n__version__ = '" + Version + "'\n");
  }
  void addHeaders(const std::string &Dir, const std::string &Version = "") {
    add(Dir + "/ATen/ATen.h");
    add(Dir + "/torch/csrc/api/include/torch/all.h");
    if (!Version.empty())
      add(Dir + "/torch/csrc/api/include/torch/version.h",
          "#define TORCH_VERSION_MAJOR 9\n#define TORCH_VERSION \\\n  \"" + Version + "\"\n");
  }
  std::string version(const std::string &Dir) {
    std::optional<TorchVersion> Version = torchVersionOf(path(Dir));
    return Version ? Version->Text : "none";
  }
  /// "FOLDER VERSION ROOT" of the headers in \p Folders.
  std::string headers(const Strings &Folders) {
    Strings Full;
    for (const std::string &Folder : Folders)
      Full.push_back(path(Folder));
    std::optional<TorchHeaders> Found = findTorchHeaders(Full);
    if (!Found)
      return "none";
    return relative(Found->Folder) + " " + (Found->Version ? Found->Version->Text : "none") + " " +
           (Found->Root ? relative(Found->Root->Dir) : "none");
  }
};

TEST_F(TorchRootTest, VersionsStandAsTheyAre) {
  const std::pair<const char *, llvm::VersionTuple> Versions[] = {
      {"9.6.0a0+git.nv25.01", llvm::VersionTuple(9, 6)},
      {"9.6.0+rocm6.2", llvm::VersionTuple(9, 6)},
      {"9.15.0.dev20261101", llvm::VersionTuple(9, 15)},
      {"9.6.0+debian", llvm::VersionTuple(9, 6)}};
  for (const auto &[Text, Release] : Versions) {
    add("p/torch/version.py", std::string("__version__ = '") + Text + "'\n");
    std::optional<TorchVersion> Version = torchVersionOf(path("p"));
    ASSERT_TRUE(Version) << Text;
    EXPECT_EQ(Version->Text, Text);
    EXPECT_EQ(Version->Release, Release);
    EXPECT_EQ(Version->File, path("p/torch/version.py"));
  }
}

TEST_F(TorchRootTest, VersionsInEveryPlace) {
  add("crlf/torch/version.py",
      "from typing import Optional\r\n\r\n__version__ = '9.2.2+cpu'\r\ncuda = None\r\n");
  EXPECT_EQ(version("crlf"), "9.2.2+cpu");
  add("typed/torch/version.py", "__version__: str = \"9.3.0\"\n");
  EXPECT_EQ(version("typed"), "9.3.0");
  add("other/torch/version.py", "__version_info__ = '9.3.0'\n");
  EXPECT_EQ(version("other"), "none");
  add("tree/aten/src/ATen/native/native_functions.yaml");
  add("tree/version.txt", "9.4.0a0\n");
  add("tree/torch/version.py", "__version__ = '9.1.0'\n"); // left by an older build
  EXPECT_EQ(version("tree"), "9.4.0a0");
  addPackage("package", "9.5.0");
  add("package/version.txt", "3.1\n"); // of another package
  EXPECT_EQ(version("package"), "9.5.0");
  addHeaders("bare/torch/include", "9.6.1");
  EXPECT_EQ(version("bare"), "9.6.1");
  EXPECT_EQ(version("nowhere"), "none");
}

TEST_F(TorchRootTest, HeadersBelongToTheRootAroundThem) {
  addPackage("venv/site-packages", "9.1.0+cpu");
  addHeaders("venv/site-packages/torch/include", "9.1.0");
  EXPECT_EQ(headers({"empty", "venv/site-packages/torch/include"}),
            "venv/site-packages/torch/include 9.1.0 venv/site-packages");
  EXPECT_EQ(headers({"venv/site-packages/torch/include/torch/csrc/api/include"}),
            "venv/site-packages/torch/include/torch/csrc/api/include 9.1.0 venv/site-packages");

  add("tree/aten/src/ATen/native/native_functions.yaml");
  add("tree/aten/src/ATen/ATen.h");
  add("tree/version.txt", "9.2.0a0");
  addHeaders("tree/torch/include");
  EXPECT_EQ(headers({"tree/build/include", "tree/aten/src"}), "tree/aten/src 9.2.0a0 tree");
  EXPECT_EQ(headers({"tree/torch/include"}), "tree/torch/include 9.2.0a0 tree");

  addHeaders("zip/include", "9.3.0");
  EXPECT_EQ(headers({"zip/include", "venv/site-packages/torch/include"}), "zip/include 9.3.0 none");
  EXPECT_EQ(headers({"empty"}), "none");
  EXPECT_EQ(headers({}), "none");
}

TEST_F(TorchRootTest, HeadersOfADistribution) {
  addHeaders("usr/include", "9.1.0");
  addPackage("usr/lib/python3/dist-packages", "9.1.0a0+debian");
  EXPECT_EQ(headers({"usr/include"}), "usr/include 9.1.0 usr/lib/python3/dist-packages");
  // The package of another release is not what they belong to.
  addPackage("conda/lib/python3.9/site-packages", "9.2.0");
  addPackage("conda/lib/python3.12/site-packages", "9.3.0");
  addHeaders("conda/include", "9.2.1");
  EXPECT_EQ(headers({"conda/include"}), "conda/include 9.2.1 conda/lib/python3.9/site-packages");
}

TEST_F(TorchRootTest, TheApiIsMissedWhereItIsNotSearched) {
  addHeaders("include", "9.1.0");
  std::string Api = path("include/torch/csrc/api/include");
  EXPECT_EQ(findTorchHeaders({path("include")})->MissingApi, Api);
  EXPECT_EQ(findTorchHeaders({path("include"), Api})->MissingApi, "");
}

TEST_F(TorchRootTest, HeadersSayWhichStandardTheyNeed) {
  auto Needed = [&](const std::string &Number) {
    add("include/ATen/ATen.h",
        "#pragma once\n\n#if !defined(_MSC_VER) && __cplusplus < " + Number + "\n#error\n#endif\n");
    return neededStandard(path("include"));
  };
  EXPECT_EQ(Needed("201402L"), "");
  EXPECT_EQ(Needed("201703L"), "");
  EXPECT_EQ(Needed("202002L"), "gnu++20");
  EXPECT_EQ(findTorchHeaders({path("include")})->Standard, "gnu++20");
  EXPECT_EQ(Needed("202302L"), "gnu++23");
  EXPECT_EQ(Needed("NEWEST"), "");
  EXPECT_EQ(neededStandard(path("nowhere")), "");
}

TEST_F(TorchRootTest, NewestPythonFirst) {
  for (const char *Python :
       {"python3.9/site-packages", "python3.12/site-packages", "python3/dist-packages",
        "python2.7/site-packages", "python3.x/site-packages"})
    add("lib/" + std::string(Python) + "/a.py");
  EXPECT_EQ(pythonPackageFolders(path("")),
            (Strings{path("lib/python3.12/site-packages"), path("lib/python3.9/site-packages"),
                     path("lib/python3/dist-packages")}));
}

TEST_F(TorchRootTest, CopiesOfPyTorch) {
  addHeaders("include", "9.1.0");
  EXPECT_TRUE(holdsTorch(path("include")));
  add("tree/aten/src/ATen/ATen.h");
  EXPECT_FALSE(holdsTorch(path("tree")));
  add("tree/version.txt", "9.1.0");
  EXPECT_TRUE(holdsTorch(path("tree")));
  add("zip/build-version", "9.1.0+cpu\n");
  add("zip/include/ATen/ATen.h");
  EXPECT_TRUE(holdsTorch(path("zip")));
  add("mine/version.txt", "9.1.0");
  EXPECT_FALSE(holdsTorch(path("mine")));
}

} // namespace
