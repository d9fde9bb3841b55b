//===- EditorTest.cpp - Completion in half-typed code, texts that change --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Check/KernelSkeleton.h"
#include "opsig/Editor/CodeIndex.h"
#include "opsig/Editor/Completion.h"
#include "opsig/Editor/YamlDocument.h"

using namespace opsig;

TEST(TextShiftTest, WhatStandsBesideAnEditIsFound) {
  llvm::StringRef Then = "abc DEF xyz", Now = "abc longer xyz";
  TextShift Shift(Then, Now);
  EXPECT_EQ(Shift.then(0), 0u);
  EXPECT_EQ(Shift.then(Now.find("xyz")), Then.find("xyz"));
  EXPECT_EQ(Shift.now(Then.size()), Now.size());
  EXPECT_FALSE(Shift.then(Now.find("onger")));
  EXPECT_FALSE(Shift.now(Then.find("EF")));
  EXPECT_EQ(TextShift("", "x").now(0), 0u);
  EXPECT_FALSE(TextShift("x", "x").then(7));
}

/// Labels at the "|" of \p Marked; "none" where code stands that is not ours.
static std::string labels(llvm::StringRef Marked, size_t Most = 4) {
  auto [Before, End] = Marked.split('|');
  CodeIndex Index({});
  std::optional<Completions> Found =
      completeCode(Index, (Before + End).str(), Before.size(), nullptr);
  if (!Found)
    return "none";
  std::string Out;
  for (const Completion &C : Found->Items)
    if (Most-- > 0)
      Out += (Out.empty() ? "" : " ") + C.Label;
    else
      break;
  return Out;
}

TEST(CompletionTest, OnlyInRegistrations) {
  EXPECT_EQ(labels("int f(Ten|);"), "none");
  EXPECT_EQ(labels("auto s = \"f(Ten|\";"), "none");
  EXPECT_EQ(labels("// m.def(\"f(Ten|"), "none");
  EXPECT_EQ(labels("m.def(\"f(Tensor self)\", [](int Ten|) {});"), "none");
  EXPECT_EQ(labels(""), "none");
  EXPECT_EQ(labels("|"), "none");
}

TEST(CompletionTest, TypesInSchemas) {
  EXPECT_EQ(labels("TORCH_LIBRARY(ns, m) { m.def(\"f(Ten|"), "Tensor Tensor(a!) Tensor(a) Tensor?");
  EXPECT_EQ(labels("m.def(\"f(Tensor self, symi|n\");"), "SymInt SymInt? SymInt[]");
  EXPECT_EQ(labels("m->def(torch::schema(\"f(Tensor self) -> Gen|\"))"), "Generator");
  EXPECT_EQ(labels("m.def(\"f(Tensor self) -> (Tensor, Gen|\")"), "Generator");
  EXPECT_EQ(labels("m.def(\"f(\" \"Gen|\")"), "Generator Generator?");
  EXPECT_EQ(labels("m.def(R\"(f(Gen|)\");"), "Generator Generator?");
}

TEST(CompletionTest, PartsOfArguments) {
  EXPECT_EQ(labels("m.def(\"f(Tensor(|\")"), "a! a b! b");
  EXPECT_EQ(labels("m.def(\"f(int? n=|\")"), "None True False 0");
  // No names are known without operators and kernels.
  EXPECT_EQ(labels("m.def(\"f(Tensor |\")"), "");
}

TEST(CompletionTest, ArgumentsOfBlocks) {
  EXPECT_EQ(labels("TORCH_LIBRARY(at|"), "aten");
  EXPECT_EQ(labels("TORCH_LIBRARY_IMPL(aten, Priv|ate, m) {}"),
            "PrivateUse1 PrivateUse2 PrivateUse3");
  EXPECT_EQ(labels("TORCH_LIBRARY(aten, |m) {}"), "none");
}

TEST(YamlKindTest, ByContentsThenByName) {
  EXPECT_EQ(yamlKind("/x.yaml", "# note\n\n- func: f() -> ()\n"), YamlKind::Native);
  EXPECT_EQ(yamlKind("/x.yaml", "backend: XLA\n"), YamlKind::Backend);
  EXPECT_EQ(yamlKind("/x.yaml", "key: value\n"), YamlKind::Other);
  EXPECT_EQ(yamlKind("/native_functions.yaml", ""), YamlKind::Native);
}

/// The declaration of a kernel "k", or "none".
static std::string kernelFor(llvm::StringRef Schema,
                             KernelInterface Interface = KernelInterface::Dispatcher) {
  const Dialect &D = *allDialects().back();
  SchemaErrors Errors, Remarks;
  std::optional<FunctionSchema> S =
      parseScriptSchema(Schema, grammarOf(D), ScriptRules(), Errors, Remarks);
  return S ? kernelSkeleton(*S, "k", Interface, D).value_or("none") : "unread";
}

TEST(KernelSkeletonTest, TypesThatTheDispatcherTakes) {
  EXPECT_EQ(kernelFor("f(Tensor self, int n, float x) -> Tensor"),
            "at::Tensor k(const at::Tensor & self, int64_t n, double x)");
  EXPECT_EQ(kernelFor("f(Tensor(a!) self, int[] sizes) -> Tensor(a!)"),
            "at::Tensor & k(at::Tensor & self, at::IntArrayRef sizes)");
  EXPECT_EQ(kernelFor("f(Tensor self) -> (Tensor, int)"),
            "std::tuple<at::Tensor, int64_t> k(const at::Tensor & self)");
  EXPECT_EQ(kernelFor("f() -> ()"), "void k()");
  EXPECT_EQ(kernelFor("f(Tensor self) -> Tensor", KernelInterface::Stable),
            "torch::stable::Tensor k(const torch::stable::Tensor & self)");
}

TEST(KernelSkeletonTest, NoneWithoutTypes) {
  EXPECT_EQ(kernelFor("f"), "none");
  EXPECT_EQ(kernelFor("f(Tensor self, ...) -> Tensor"), "none");
}
