//===- ReadTypeTest.cpp - types as trees, with places -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Frontend/KernelTestHelp.h"

#include "gtest/gtest.h"

using namespace opsig;
using namespace opsig::test;

namespace {

class ReadType : public testing::Test {
protected:
  /// The type of the first parameter of `f` in \p Written.
  CppType read(llvm::StringRef Written) {
    Code = ("#include <ATen/ATen.h>\n#include <string>\n#define ELEMENT int\n"
            "template <typename A, typename B> using Swapped = std::tuple<B, A>;\n"
            "namespace demo { using Number = int;\nvoid f(" +
            Written + "); }\n")
               .str();
    Unit = parse(Code, {"demo"});
    EXPECT_TRUE(Unit.complete()) << Unit.FirstError;
    return Unit.Kernels.size() == 1 ? Unit.Kernels[0].Params[0].Canonical : CppType();
  }
  /// What is written at the place of a part; "?" without.
  std::string at(const CppType &T) {
    return T.At.isValid() ? Code.substr(T.At.Offset, T.At.Length) : "?";
  }

  std::string Code;
  UnitFacts Unit;
};

TEST_F(ReadType, HasAPartForEachLayer) {
  CppType T = read("const std::vector<at::Tensor *> &x");
  EXPECT_EQ(T.str(), "std::vector<at::Tensor*> const&");
  ASSERT_EQ(T.Is, CppType::LeftRef);
  const CppType &Vector = T.Args[0];
  EXPECT_TRUE(Vector.Const && Vector.isTemplate("std::vector"));
  ASSERT_EQ(Vector.Args[0].Is, CppType::Pointer);
  EXPECT_TRUE(Vector.Args[0].Args[0].is("at::Tensor"));
  EXPECT_EQ(at(T), "&");
  EXPECT_EQ(at(Vector), "std::vector");
  EXPECT_EQ(at(Vector.Args[0]), "*");
  EXPECT_EQ(at(Vector.Args[0].Args[0]), "at::Tensor");
}

TEST_F(ReadType, KnowsWhereEqualPartsStand) {
  CppType T = read("std::tuple<int, unsigned long, int> x");
  ASSERT_EQ(T.Args.size(), 3u);
  EXPECT_EQ(T.Args[0], T.Args[2]);
  EXPECT_LT(T.Args[0].At.Offset, T.Args[2].At.Offset);
  EXPECT_EQ(at(T.Args[1]), "unsigned long");
}

TEST_F(ReadType, HasNoPlaceForWhatAnAliasOrAMacroHolds) {
  CppType Alias = read("at::TensorList x");
  EXPECT_EQ(at(Alias), "at::TensorList");
  EXPECT_EQ(at(Alias.Args[0]), "?");
  CppType Macro = read("std::vector<ELEMENT> x");
  EXPECT_TRUE(Macro.Args[0].is("int"));
  EXPECT_EQ(at(Macro.Args[0]), "?");
  // Its first argument is the second of its expansion.
  CppType Moved = read("Swapped<int, bool> x");
  EXPECT_EQ(Moved.str(), "std::tuple<bool,int>");
  EXPECT_EQ(at(Moved.Args[0]), "?");
  EXPECT_EQ(at(read("Number x")), "Number");
}

TEST_F(ReadType, TellsWhatIsOnlyCompared) {
  EXPECT_TRUE(read("const at::Tensor &x").isPlain());
  EXPECT_FALSE(read("void (*x)(int)").isPlain());
  EXPECT_FALSE(CppType().isPlain());
  EXPECT_EQ(CppType().str(), "");
}

} // namespace
