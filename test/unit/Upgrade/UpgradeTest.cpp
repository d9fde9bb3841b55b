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

std::string built(llvm::StringRef Name, llvm::StringRef Text, unsigned Oldest) {
  SourceFiles Files;
  SourceId File = Files.add(Name, Text.str());
  std::vector<UpgradeEdit> Edits = planBuildFile(Name, File, Oldest, Files);
  std::string Out = Text.str();
  llvm::sort(Edits, [](const UpgradeEdit &L, const UpgradeEdit &R) {
    return L.Fixes.front().Offset > R.Fixes.front().Offset;
  });
  for (const UpgradeEdit &E : Edits)
    Out.replace(E.Fixes.front().Offset, E.Fixes.front().Length, E.Fixes.front().Text);
  return Out;
}

TEST(BuildFiles, OnlyOlderStandardsChange) {
  EXPECT_EQ(
      built("setup.py", "import torch\nf = ['-std=c++14', '/std:c++17', '-std=gnu++1z']\n", 17),
      "import torch\nf = ['-std=c++17', '/std:c++17', '-std=gnu++1z']\n");
  EXPECT_EQ(built("setup.py", "import torch\nf = ['-std=c++20', '-std=c++23', '-std=c++98']\n", 17),
            "import torch\nf = ['-std=c++20', '-std=c++23', '-std=c++98']\n");
  EXPECT_EQ(built("a/CMakeLists.txt",
                  "find_package(Torch)\n# CXX_STANDARD 11\nset(CMAKE_CXX_STANDARD 11)\n", 20),
            "find_package(Torch)\n# CXX_STANDARD 11\nset(CMAKE_CXX_STANDARD 20)\n");
  EXPECT_EQ(built("CMakeLists.txt", "set(CMAKE_CXX_STANDARD 11)\n", 20),
            "set(CMAKE_CXX_STANDARD 11)\n")
      << "it is not about PyTorch";
}

} // namespace
