//===- StableApiIndexTest.cpp - what of PyTorch's headers is stable ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Against the headers in test/Inputs/stable-torch, whose stable ABI began with 3.1.
//
//===----------------------------------------------------------------------===//
#include "opsig/Frontend/StableApiIndex.h"

#include "Frontend/KernelTestHelp.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace opsig;

namespace {

class StableApiIndexTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    auto Read = readStableApiIndex(test::sourceRoot() + "/test/Inputs/stable-torch");
    ASSERT_TRUE(bool(Read)) << llvm::toString(Read.takeError());
    Api = new StableApiIndex(std::move(*Read));
  }
  static void TearDownTestSuite() { delete Api; }

  /// "method 3.2.. torch/csrc/stable/tensor.h", a line for each.
  static std::string lines(llvm::StringRef Name) {
    std::string Text;
    for (const StableItem &I : Api->named(Name)) {
      Text += llvm::formatv("{0} {1}..{2} {3}\n", kindText(I.Is), targetText(I.Since),
                            targetText(I.Until), I.Header);
    }
    return Text;
  }

  static inline StableApiIndex *Api = nullptr;
};

TEST_F(StableApiIndexTest, TargetsAreThoseThatConditionsAskFor) {
  std::string Text;
  for (StableVersion V : Api->Targets)
    Text += targetText(V) + " ";
  EXPECT_EQ(Text, "3.2 3.3 3.4 ");
  EXPECT_EQ(targetText(Api->Newest), "3.4");
}

TEST_F(StableApiIndexTest, Symbols) {
  EXPECT_EQ(lines("aoti_torch_get_dim"), "symbol .. torch/csrc/inductor/aoti_torch/c/shim.h\n");
  EXPECT_EQ(lines("aoti_torch_late"), "symbol 3.3.. torch/csrc/inductor/aoti_torch/c/shim.h\n");
  EXPECT_EQ(lines("torch_call_dispatcher"), "symbol 3.2.. torch/csrc/stable/c/shim.h\n");
  EXPECT_EQ(lines("aoti_torch_aten_narrow"),
            "symbol .. torch/csrc/inductor/aoti_torch/generated/c_shim_aten.h\n");
}

TEST_F(StableApiIndexTest, AConditionWithinAnotherIsSeen) {
  EXPECT_EQ(lines("torch_within"), "symbol 3.4.. torch/csrc/stable/c/shim.h\n");
}

TEST_F(StableApiIndexTest, WhatADeviceOpensIsRead) {
  EXPECT_EQ(lines("aoti_torch_get_current_cuda_stream"),
            "symbol .. torch/csrc/inductor/aoti_torch/c/shim.h\n");
}

TEST_F(StableApiIndexTest, AHeaderThatAsksForUnstableOnesIsNoPart) {
  EXPECT_EQ(lines("aoti_torch_host_only"), "");
  const StableHeader *Host = Api->header("torch/csrc/inductor/aoti_torch/c/shim_host.h");
  ASSERT_NE(Host, nullptr);
  EXPECT_TRUE(Host->Refused);
  EXPECT_FALSE(Api->header("torch/csrc/inductor/aoti_torch/c/shim.h")->Refused);
}

TEST_F(StableApiIndexTest, ClassesAndTheirMethods) {
  EXPECT_EQ(lines("torch::stable::Tensor::dim"), "method .. torch/csrc/stable/tensor.h\n");
  EXPECT_EQ(lines("torch::stable::Tensor::mutable_data_ptr"),
            "method 3.2.. torch/csrc/stable/tensor.h\n");
  EXPECT_EQ(lines("torch::stable::Tensor::hidden"), "");
  EXPECT_EQ(lines("torch::stable::Tensor::Tensor"), "method .. torch/csrc/stable/tensor.h\n"
                                                    "method .. torch/csrc/stable/tensor.h\n");
  EXPECT_EQ(lines("torch::stable::Generator::Kind::Device"),
            "enumerator 3.3.. torch/csrc/stable/generator.h\n");
}

TEST_F(StableApiIndexTest, WhatOnlyOldTargetsHave) {
  EXPECT_EQ(lines("torch::stable::new_empty"), "function ..3.2 torch/csrc/stable/tensor.h\n"
                                               "function 3.2.. torch/csrc/stable/tensor.h\n");
  EXPECT_EQ(lines("torch::stable::gone"), "function ..3.3 torch/csrc/stable/tensor.h\n");
  const StableItem *Empty = Api->find(StableKind::Function, "torch::stable::new_empty");
  ASSERT_NE(Empty, nullptr);
  EXPECT_EQ(Empty->MaxArgs, 2u);
  EXPECT_TRUE(Empty->isIn(0));
  EXPECT_FALSE(Empty->isIn(*parseTarget("3.2")));
}

TEST_F(StableApiIndexTest, FunctionsHaveTypesAndCountsOfArguments) {
  const StableItem *Narrow = Api->find(StableKind::Function, "torch::stable::narrow");
  ASSERT_NE(Narrow, nullptr);
  EXPECT_EQ(Narrow->Type, "torch::stable::Tensor (torch::stable::Tensor &, long, long, long)");
  EXPECT_EQ(Narrow->MinArgs, 4u);
  llvm::ArrayRef<StableItem> Both = Api->named("torch::stable::new_empty");
  ASSERT_EQ(Both.size(), 2u);
  EXPECT_EQ(Both[1].MinArgs, 2u);
  EXPECT_EQ(Both[1].MaxArgs, 3u);
  EXPECT_EQ(lines("torch::stable::parallel_for"), "function 3.3.. torch/csrc/stable/tensor.h\n");
}

TEST_F(StableApiIndexTest, Macros) {
  EXPECT_EQ(lines("STD_TORCH_CHECK"), "macro .. torch/headeronly/util/Exception.h\n");
  EXPECT_EQ(lines("STD_CUDA_CHECK"), "macro 3.2.. torch/csrc/stable/tensor.h\n");
  EXPECT_EQ(lines("BOTH_WAYS"), "macro .. torch/csrc/stable/tensor.h\n");
  EXPECT_EQ(lines("AOTI_TORCH_SHIM"), "") << "it only guards its header";
}

TEST_F(StableApiIndexTest, NamesOfInlineNamespacesAndUsingDeclarations) {
  EXPECT_EQ(lines("c10::Half"), "class .. torch/headeronly/util/Exception.h\n");
  EXPECT_EQ(lines("torch::headeronly::Half"), "class .. torch/headeronly/util/Exception.h\n");
  EXPECT_EQ(Api->find(StableKind::Enum, "torch::headeronly::ScalarType")->Type, "c10::ScalarType");
  EXPECT_EQ(lines("c10::ScalarType::Float"), "enumerator .. torch/headeronly/util/Exception.h\n");
  EXPECT_EQ(Api->find(StableKind::Alias, "torch::headeronly::ScalarTypes")->Type,
            "c10::ScalarType *");
  EXPECT_EQ(lines("torch::headeronly::kByte"), "variable .. torch/headeronly/util/Exception.h\n");
}

TEST_F(StableApiIndexTest, Headers) {
  EXPECT_EQ(targetText(Api->header("torch/csrc/stable/generator.h")->Since), "3.3");
  EXPECT_EQ(Api->header("torch/csrc/stable/tensor.h")->Since, 0u);
  EXPECT_EQ(Api->header("ATen/Config.h"), nullptr);
  // Read in part, and that can be told.
  const StableHeader *Device = Api->header("torch/headeronly/util/Device.h");
  ASSERT_NE(Device, nullptr);
  EXPECT_EQ(Device->Lacks, std::vector<std::string>{"no_such_toolkit.h"});
  EXPECT_EQ(lines("torch::headeronly::on_device"), "function .. torch/headeronly/util/Device.h\n");
}

TEST(StableTargets, AreWrittenAsReleasesOrNumbers) {
  EXPECT_EQ(parseTarget("3.10"), StableVersion(0x030a000000000000));
  EXPECT_EQ(parseTarget("0x030a000000000000"), StableVersion(0x030a000000000000));
  EXPECT_EQ(targetNumber(0x030a000000000000), "0x030a000000000000");
  EXPECT_EQ(targetText(0x030a000000000000), "3.10");
  for (const char *Wrong : {"", "3", "3.", "3.x", "x.1", "3.256", "3.1.1", "-1.2", "0xg"})
    EXPECT_EQ(parseTarget(Wrong), std::nullopt) << Wrong;
}

TEST(StableApiIndexErrors, FolderWithoutThem) {
  auto Read = readStableApiIndex(test::sourceRoot() + "/test/Inputs/torch/ATen");
  ASSERT_FALSE(bool(Read));
  EXPECT_NE(llvm::toString(Read.takeError()).find("no headers of the stable ABI in '"),
            std::string::npos);
}

} // namespace
