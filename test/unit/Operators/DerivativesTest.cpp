//===- DerivativesTest.cpp - Which operators have a gradient's formula -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Operators/MarkedYaml.h"
#include "gtest/gtest.h"
#include "opsig/Operators/Derivatives.h"

using namespace opsig;
using namespace opsig::test;

namespace {

const char *Native = R"(
- func: neg(Tensor self) -> Tensor
  dispatch:
    CPU: neg
- func: neg_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    CPU: neg_
- func: neg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CPU: neg_out
- func: floor(Tensor self) -> Tensor
- func: isnan(Tensor self) -> Tensor
- func: later(Tensor self) -> Tensor
- func: rows(Tensor self) -> Tensor
- func: unlisted(Tensor self) -> Tensor
)";

const char *Formulas = R"(
- name: neg(Tensor self) -> Tensor
  self: grad.neg()
  result: auto_linear
- name: floor(Tensor self) -> Tensor
  self: non_differentiable
  result: auto_linear
- name: isnan(Tensor self) -> Tensor
  output_differentiability: [False]
- name: later(Tensor self) -> Tensor
  self: not_implemented("later")
- name: rows(Tensor self) -> Tensor
  dispatch:
    Default:
      self: rows_backward(grad)
    AutogradNestedTensor:
      self: _nested_rows_backward(grad)
)";

TEST(Derivatives, WhoHasAFormula) {
  std::unique_ptr<Loaded> L = load(Native, dialect("2.9"));
  SourceId File = L->Files.add("derivatives.yaml", Formulas);
  Derivatives Of(File, L->Files, *L->Ops);
  auto Has = [&](llvm::StringRef Name) { return Of.hasFormula(*L->Ops->find(Name)); };
  EXPECT_TRUE(Has("neg"));
  EXPECT_TRUE(Has("neg_")); // that of the functional form
  EXPECT_FALSE(Has("neg.out"));
  EXPECT_TRUE(Has("rows"));
  for (const char *Name : {"floor", "isnan", "later", "unlisted"})
    EXPECT_FALSE(Has(Name)) << Name;
}

TEST(Derivatives, WhatIsNoListIsNoFormula) {
  std::unique_ptr<Loaded> L = load(Native, dialect("2.9"));
  for (const char *Text : {"", "neg: self", "- 3\n- [a]\n- {self: b}\n", "- name: {"}) {
    SourceId File = L->Files.add(Text, Text);
    EXPECT_FALSE(Derivatives(File, L->Files, *L->Ops).hasFormula(*L->Ops->find("neg"))) << Text;
  }
}

} // namespace
