//===- TypeNamesTest.cpp - types are compared, not their spellings ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Frontend/KernelTestHelp.h"

#include "gtest/gtest.h"

using namespace opsig;
using namespace opsig::test;

/// Whether \p Written, in a file of a backend, is the type \p Want.
static bool sameAs(llvm::StringRef Written, const CType &Want, bool StdOptional = false) {
  std::string Code = "#include <ATen/ATen.h>\n#include <string>\n"
                     "namespace mine { using T = at::Tensor; typedef const at::Tensor &Ref;\n"
                     "using namespace at; template <typename X> using Maybe = c10::optional<X>; }\n"
                     "namespace demo { using at::Tensor; using namespace mine;\nvoid f(" +
                     Written.str() + "); }\n";
  std::vector<std::string> Flags;
  if (StdOptional)
    Flags.push_back("-DTORCH_STD_OPTIONAL");
  UnitFacts Unit = parse(Code, {"demo"}, Flags);
  EXPECT_TRUE(Unit.complete()) << Unit.FirstError;
  EXPECT_EQ(Unit.Kernels.size(), 1u) << Written.str();
  if (Unit.Kernels.size() != 1)
    return false;
  EXPECT_TRUE(Unit.Names.canonical(Want).isRead()) << "the wanted type of " << Written.str();
  EXPECT_TRUE(Unit.Kernels[0].Params[0].Canonical.isRead()) << Written.str();
  return Unit.Names.same(Want, Unit.Kernels[0].Params[0].Canonical);
}

static const CType Tensor(CppBase::Tensor);

TEST(TypeNames, LooksThroughAliases) {
  for (llvm::StringRef Written : {"const at::Tensor &", "const Tensor& self", "at::Tensor const &x",
                                  "const T &", "Ref", "const ::at::Tensor&", "mine::Ref"})
    EXPECT_TRUE(sameAs(Written, Tensor.constRef())) << Written.str();
  for (llvm::StringRef Written : {"at::Tensor &", "at::Tensor", "at::Tensor &&", "const at::Tensor",
                                  "const at::Tensor *", "const at::Scalar &", "at::TensorList"})
    EXPECT_FALSE(sameAs(Written, Tensor.constRef())) << Written.str();
}

TEST(TypeNames, IgnoresOuterConst) {
  EXPECT_TRUE(sameAs("const at::Tensor t", Tensor));
  EXPECT_TRUE(sameAs("const int64_t n", CType(CppBase::Long)));
}

TEST(TypeNames, TellsBuiltinTypesApart) {
  EXPECT_TRUE(sameAs("int64_t", CType(CppBase::Long)));
  EXPECT_TRUE(sameAs("std::int64_t", CType(CppBase::Long)));
  EXPECT_TRUE(sameAs("long", CType(CppBase::Long)));
  EXPECT_FALSE(sameAs("int", CType(CppBase::Long)));
  EXPECT_FALSE(sameAs("long long", CType(CppBase::Long)));
  EXPECT_FALSE(sameAs("size_t", CType(CppBase::Long)));
  EXPECT_TRUE(sameAs("double", CType(CppBase::Double)));
  EXPECT_FALSE(sameAs("float", CType(CppBase::Double)));
  EXPECT_TRUE(sameAs("bool", CType(CppBase::Bool)));
}

TEST(TypeNames, ComparesWhatTemplatesHold) {
  CType MaybeTensor = Tensor.optional();
  EXPECT_TRUE(sameAs("const c10::optional<at::Tensor> &", MaybeTensor.constRef()));
  EXPECT_TRUE(sameAs("at::optional<T>", MaybeTensor));
  EXPECT_TRUE(sameAs("Maybe<Tensor>", MaybeTensor));
  EXPECT_FALSE(sameAs("c10::optional<at::Scalar>", MaybeTensor));
  EXPECT_FALSE(sameAs("c10::optional<const at::Tensor>", MaybeTensor));
  EXPECT_TRUE(sameAs("const c10::List<c10::optional<Tensor>> &", MaybeTensor.list().constRef()));
  EXPECT_FALSE(sameAs("const c10::List<Tensor> &", MaybeTensor.list().constRef()));
  EXPECT_TRUE(sameAs("at::ArrayRef<at::Scalar>", CType(CppBase::Scalar).arrayRef()));
  EXPECT_TRUE(sameAs("std::vector<at::Tensor>", Tensor.vector()));
  EXPECT_FALSE(
      sameAs("std::vector<at::Tensor, std::allocator<int>>", CType(CppBase::Scalar).vector()));
  CType ThreeBools = CType(CppBase::Bool).in(CTypeLayer::Array, 3);
  EXPECT_TRUE(sameAs("std::array<bool, 3>", ThreeBools));
  EXPECT_FALSE(sameAs("std::array<bool, 2>", ThreeBools));
}

TEST(TypeNames, KnowsWhatAliasesOfTorchStandFor) {
  EXPECT_TRUE(sameAs("at::ArrayRef<int64_t>", CType(CppBase::IntArrayRef)));
  EXPECT_TRUE(sameAs("c10::IntArrayRef", CType(CppBase::IntArrayRef)));
  EXPECT_TRUE(sameAs("c10::ArrayRef<at::Tensor>", CType(CppBase::TensorList)));
  EXPECT_TRUE(sameAs("c10::OptionalArrayRef<int64_t>", CType(CppBase::OptionalIntArrayRef)));
  EXPECT_TRUE(sameAs("c10::ScalarType", CType(CppBase::ScalarType)));
  EXPECT_TRUE(sameAs("c10::SymIntArrayRef", CType(CppBase::SymIntArrayRef)));
  EXPECT_FALSE(sameAs("at::IntArrayRef", CType(CppBase::SymIntArrayRef)));
  EXPECT_FALSE(sameAs("std::string", CType(CppBase::StringView)));
}

TEST(TypeNames, TakesOptionalForWhatTheHeadersSay) {
  CType MaybeTensor = Tensor.optional();
  EXPECT_TRUE(sameAs("c10::optional<at::Tensor>", MaybeTensor));
  EXPECT_FALSE(sameAs("std::optional<at::Tensor>", MaybeTensor));
  EXPECT_FALSE(sameAs("std::string_view", CType(CppBase::StringView)));
  EXPECT_TRUE(sameAs("c10::optional<at::Tensor>", MaybeTensor, /*StdOptional=*/true));
  EXPECT_TRUE(sameAs("std::optional<at::Tensor>", MaybeTensor, /*StdOptional=*/true));
  EXPECT_TRUE(sameAs("std::string_view", CType(CppBase::StringView), /*StdOptional=*/true));
}

TEST(TypeNames, ResolvesEveryBaseOfASignature) {
  UnitFacts Unit = parse("#include <ATen/ATen.h>\n");
  for (unsigned I = 0; I < NumCppBases; ++I) {
    // Template parameters of ufunc kernels, and what stands for no type at all.
    bool Placeholder = CppBase(I) == CppBase::ScalarT || CppBase(I) == CppBase::OpmathT ||
                       spelling(CppBase(I)).starts_with("<");
    EXPECT_NE(Unit.Names.Bases[I].isRead(), Placeholder) << spelling(CppBase(I)).str();
  }
}

TEST(TypeNames, TakesTheUnknownForTheSame) {
  TypeNames Nothing;
  EXPECT_FALSE(Nothing.canonical(Tensor.constRef()).isRead());
  EXPECT_TRUE(Nothing.same(Tensor.constRef(), CppType::named("int")));
  UnitFacts Unit = parse("#include <ATen/ATen.h>\n");
  EXPECT_TRUE(Unit.Names.same(Tensor, CppType()));
  EXPECT_FALSE(Unit.Names.same(Tensor, CppType::named("int")));
}

TEST(TypeNames, ComparesReturnTypes) {
  UnitFacts Unit = parse(R"(
    #include <ATen/ATen.h>
    namespace demo {
    void nothing();
    std::tuple<at::Tensor, at::Tensor> two();
    std::tuple<at::Tensor &, at::Tensor &> refs();
    auto later() -> at::Tensor;
    auto deduced() { return 1; }
    }
  )");
  ASSERT_EQ(Unit.Kernels.size(), 5u);
  ReturnCType None, One{{Tensor}}, Two{{Tensor, Tensor}}, Refs{{Tensor.mutRef(), Tensor.mutRef()}};
  auto is = [&](const ReturnCType &Want, unsigned Index) {
    return Unit.Names.same(Want, Unit.Kernels[Index].ReturnCanonical);
  };
  EXPECT_TRUE(is(None, 0));
  EXPECT_FALSE(is(One, 0));
  EXPECT_TRUE(is(Two, 1));
  EXPECT_FALSE(is(Refs, 1));
  EXPECT_TRUE(is(Refs, 2));
  EXPECT_FALSE(is(Two, 2));
  EXPECT_TRUE(is(One, 3));
  EXPECT_FALSE(is(None, 3));
  EXPECT_FALSE(is(One, 4));
}
