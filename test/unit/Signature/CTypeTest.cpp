//===- CTypeTest.cpp --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestDialects.h"
#include "gtest/gtest.h"
#include "opsig/Signature/CType.h"
#include "llvm/Support/raw_ostream.h"

using namespace opsig;
using namespace opsig::test;

namespace {

std::string text(const CType &Ty) { return Ty.str(oldDialect()); }

TEST(CType, BasesHaveANamespaceOrNone) {
  EXPECT_EQ(spelling(CppBase::Tensor), "at::Tensor");
  EXPECT_EQ(namespaceOf(CppBase::Tensor), "at");
  EXPECT_EQ(unqualified(CppBase::Tensor), "Tensor");
  EXPECT_EQ(spelling(CppBase::Long), "int64_t");
  EXPECT_EQ(namespaceOf(CppBase::Long), "");
  EXPECT_EQ(unqualified(CppBase::Long), "int64_t");
  EXPECT_EQ(spelling(CppBase::SymInt), "c10::SymInt");
}

TEST(CType, EveryLayerIsSpelled) {
  CType Tensor(CppBase::Tensor);
  EXPECT_EQ(text(Tensor), "at::Tensor");
  EXPECT_EQ(text(Tensor.constRef()), "const at::Tensor &");
  EXPECT_EQ(text(Tensor.mutRef()), "at::Tensor &");
  EXPECT_EQ(text(Tensor.optional()), "c10::optional<at::Tensor>");
  EXPECT_EQ(text(Tensor.list()), "c10::List<at::Tensor>");
  EXPECT_EQ(text(Tensor.arrayRef()), "at::ArrayRef<at::Tensor>");
  EXPECT_EQ(text(Tensor.vector()), "::std::vector<at::Tensor>");
  EXPECT_EQ(text(CType(CppBase::Bool).in(CTypeLayer::Array, 3)), "::std::array<bool,3>");
  EXPECT_EQ(text(CType(CppBase::ScalarT).in(CTypeLayer::Vectorized)),
            "at::vec::Vectorized<scalar_t>");
}

TEST(CType, LayersNest) {
  CType Ty = CType(CppBase::Tensor).optional().list().constRef();
  EXPECT_EQ(text(Ty), "const c10::List<c10::optional<at::Tensor>> &");
  EXPECT_EQ(text(CType(CppBase::Scalar).constRef().arrayRef()), "at::ArrayRef<const at::Scalar &>");
  EXPECT_EQ(text(CType(CppBase::Bool).in(CTypeLayer::Array, 2).optional()),
            "c10::optional<::std::array<bool,2>>");
}

TEST(CType, TheDialectSpellsOptional) {
  EXPECT_EQ(CType(CppBase::Tensor).optional().list().constRef().str(newDialect()),
            "const c10::List<::std::optional<at::Tensor>> &");
}

TEST(CType, PrintsWhatStrReturns) {
  std::string Printed;
  llvm::raw_string_ostream OS(Printed);
  CType Ty = CType(CppBase::Scalar).optional().constRef();
  Ty.print(OS, newDialect());
  EXPECT_EQ(Printed, Ty.str(newDialect()));
}

TEST(CType, ReferencesComeOffTheOutsideOrEverywhere) {
  CType Ty = CType(CppBase::Scalar).constRef().arrayRef().constRef();
  EXPECT_EQ(Ty.strWithoutRef(oldDialect()), "at::ArrayRef<const at::Scalar &>");
  EXPECT_EQ(text(Ty.withoutRefs()), "at::ArrayRef<at::Scalar>");
  EXPECT_EQ(CType(CppBase::Tensor).mutRef().strWithoutRef(oldDialect()), "at::Tensor");
  EXPECT_EQ(CType(CppBase::Tensor).strWithoutRef(oldDialect()), "at::Tensor");
}

TEST(CType, LooksAtTheOutermostLayer) {
  CType Ty = CType(CppBase::Tensor).optional().constRef();
  EXPECT_TRUE(Ty.isA(CTypeLayer::ConstRef));
  EXPECT_FALSE(Ty.isA(CTypeLayer::Optional));
  EXPECT_FALSE(Ty.is(CppBase::Tensor));
  EXPECT_EQ(Ty.elem(), CType(CppBase::Tensor).optional());
  EXPECT_TRUE(Ty.elem().elem().is(CppBase::Tensor));
}

TEST(CType, EqualIsEqualInAllLayers) {
  EXPECT_EQ(CType(CppBase::Bool).in(CTypeLayer::Array, 3),
            CType(CppBase::Bool).in(CTypeLayer::Array, 3));
  EXPECT_NE(CType(CppBase::Bool).in(CTypeLayer::Array, 3),
            CType(CppBase::Bool).in(CTypeLayer::Array, 2));
  EXPECT_NE(CType(CppBase::Tensor).constRef(), CType(CppBase::Tensor).mutRef());
  EXPECT_NE(CType(CppBase::Tensor), CType(CppBase::Scalar));
}

TEST(ReturnCType, NothingOneOrATuple) {
  ReturnCType Returns;
  EXPECT_TRUE(Returns.isVoid());
  EXPECT_EQ(Returns.str(oldDialect()), "void");
  Returns.Elements.push_back(CType(CppBase::Tensor).mutRef());
  EXPECT_FALSE(Returns.isVoid());
  EXPECT_FALSE(Returns.isTuple());
  EXPECT_EQ(Returns.str(oldDialect()), "at::Tensor &");
  Returns.Elements.push_back(CType(CppBase::Long).optional());
  EXPECT_TRUE(Returns.isTuple());
  EXPECT_EQ(Returns.str(oldDialect()), "::std::tuple<at::Tensor &,c10::optional<int64_t>>");
}

} // namespace
