//===- UpgradeTest.cpp - the parts of a plan that need no parse ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UpgradeInternal.h"
#include "gtest/gtest.h"
#include "opsig/Upgrade/Upgrade.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace opsig;

namespace {

TEST(ApiChanges, EveryNameHasOneRule) {
  std::set<llvm::StringRef> Seen;
  for (const ApiChange &C : apiChanges()) {
    EXPECT_TRUE(Seen.insert(C.From).second) << C.From.str();
    EXPECT_NE(C.From, C.To);
    EXPECT_FALSE(C.Source.empty()) << C.From.str();
    EXPECT_FALSE(C.Deprecated.empty() && C.Gone.empty()) << C.From.str();
    if (!C.Deprecated.empty() && !C.Gone.empty())
      EXPECT_LT(C.Deprecated, C.Gone) << C.From.str();
    // What replaces something is not to be replaced itself.
    EXPECT_EQ(findApiChange(C.To), nullptr) << C.To.str();
  }
}

TEST(NamesIn, QuotedNamesLoseTheirQualifiers) {
  EXPECT_EQ(namesIn("no member named 'getCurrentCUDAStream' in namespace 'at::cuda'"),
            (std::set<std::string>{"getCurrentCUDAStream", "cuda"}));
  EXPECT_TRUE(namesIn("expected expression").empty());
}

std::string withInclude(llvm::StringRef Text) {
  std::optional<Fix> Include = includeFix(Text, SourceId::None, "ATen/ceil_div.h");
  if (!Include)
    return "";
  return Text.str().insert(Include->Offset, Include->Text);
}

TEST(IncludeFix, StandsBehindTheFirstOfPyTorch) {
  EXPECT_EQ(withInclude("#include <map>\n#include <ATen/ATen.h>\nint x;\n"),
            "#include <map>\n#include <ATen/ATen.h>\n#include <ATen/ceil_div.h>\nint x;\n");
  EXPECT_EQ(withInclude("// text\n#include \"own.h\"\n"),
            "// text\n#include \"own.h\"\n#include <ATen/ceil_div.h>\n");
  EXPECT_EQ(withInclude("int x;\n"), "#include <ATen/ceil_div.h>\nint x;\n");
  EXPECT_EQ(withInclude("#include <torch/torch.h>\r\nint x;\r\n"),
            "#include <torch/torch.h>\r\n#include <ATen/ceil_div.h>\r\nint x;\r\n");
  EXPECT_EQ(withInclude("#include <ATen/ceil_div.h>\n"), "") << "it is there";
}

std::string built(llvm::StringRef Name, llvm::StringRef Text, llvm::VersionTuple Release) {
  SourceFiles Files;
  SourceId File = Files.add(Name, Text.str());
  std::vector<UpgradeEdit> Edits = planBuildFile(Name, File, Release, Files);
  std::string Out = Text.str();
  llvm::sort(Edits, [](const UpgradeEdit &L, const UpgradeEdit &R) {
    return L.Fixes.front().Offset > R.Fixes.front().Offset;
  });
  for (const UpgradeEdit &E : Edits)
    Out.replace(E.Fixes.front().Offset, E.Fixes.front().Length, E.Fixes.front().Text);
  return Out;
}

const llvm::VersionTuple Cpp17(2, 1), Cpp20(2, 14);

TEST(BuildFiles, OnlyOlderStandardsChange) {
  EXPECT_EQ(
      built("setup.py", "import torch\nf = ['-std=c++14', '/std:c++17', '-std=gnu++1z']\n", Cpp17),
      "import torch\nf = ['-std=c++17', '/std:c++17', '-std=gnu++1z']\n");
  EXPECT_EQ(
      built("setup.py", "import torch\nf = ['-std=c++20', '-std=c++23', '-std=c++98']\n", Cpp17),
      "import torch\nf = ['-std=c++20', '-std=c++23', '-std=c++98']\n");
  EXPECT_EQ(built("a/CMakeLists.txt",
                  "find_package(Torch)\n# CXX_STANDARD 11\nset(CMAKE_CXX_STANDARD 11)\n", Cpp20),
            "find_package(Torch)\n# CXX_STANDARD 11\nset(CMAKE_CXX_STANDARD 20)\n");
  EXPECT_EQ(built("CMakeLists.txt", "set(CMAKE_CXX_STANDARD 11)\n", Cpp20),
            "set(CMAKE_CXX_STANDARD 11)\n")
      << "it is not about PyTorch";
}

TEST(BuildFiles, LiteralArgumentsOfCppExtension) {
  const llvm::StringRef Given =
      "from torch.utils.cpp_extension import include_paths, library_paths\n"
      "a = include_paths(cuda=True)\n"
      "# include_paths(cuda=True)\n"
      "b = library_paths( False )\n"
      "c = include_paths(cuda=has_cuda)\n"
      "d = my_include_paths(True)\n";
  EXPECT_EQ(built("setup.py", Given, Cpp17), Given) << "that release takes them";
  EXPECT_EQ(built("setup.py", Given, Cpp20),
            "from torch.utils.cpp_extension import include_paths, library_paths\n"
            "a = include_paths(device_type='cuda')\n"
            "# include_paths(cuda=True)\n"
            "b = library_paths(  )\n"
            "c = include_paths(cuda=has_cuda)\n"
            "d = my_include_paths(True)\n");
  EXPECT_EQ(built("setup.py", "import torch\na = include_paths(True)\n", Cpp20),
            "import torch\na = include_paths(True)\n")
      << "a function of the project";
}

std::string adviceOf(llvm::StringRef Text, llvm::VersionTuple Release) {
  SourceFiles Files;
  SourceId File = Files.add("setup.py", Text.str());
  std::string Out;
  for (const UpgradeEdit &E : adviceForBuildFile(File, Release, Files))
    Out += E.From + " ";
  return Out;
}

TEST(BuildFiles, WhatIsGoneAndHasNoEdit) {
  llvm::StringRef Text = "from torch.utils.cpp_extension import MIOPEN_HOME\n"
                         "flags = ['-D_GLIBCXX_USE_CXX11_ABI=0']\n";
  EXPECT_EQ(adviceOf(Text, Cpp20), "MIOPEN_HOME -D_GLIBCXX_USE_CXX11_ABI=0 ");
  EXPECT_EQ(adviceOf(Text, llvm::VersionTuple(1, 13, 1)), "");
  EXPECT_EQ(adviceOf("# MIOPEN_HOME\nMY_MIOPEN_HOME = 1\n", Cpp20), "");
}

TEST(Overrides, AreWrittenAsTheHeaderDeclares) {
  llvm::StringRef Text = "struct A {\n"
                         " public:\n"
                         "  // Copies.\n"
                         "  virtual void copy_data(\n      void* dest, size_t n) const = 0;\n"
                         "  virtual bool is(int) const { return false; }\n"
                         "  [[nodiscard]] virtual std::vector<int> all() = 0;\n"
                         "};\n";
  EXPECT_EQ(overrideOf(Text, Text.find("copy_data")),
            "void copy_data(void* dest, size_t n) const override");
  EXPECT_EQ(overrideOf(Text, Text.find("all()")), "[[nodiscard]] std::vector<int> all() override");
  EXPECT_EQ(overrideOf(Text, Text.find("is(int)")), "") << "it has a body";
  EXPECT_EQ(overrideOf(Text, 10'000), "");
}

} // namespace
