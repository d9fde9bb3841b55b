//===- PairsTest.cpp - Operators that are gone, new, and renamed ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TwoReleases.h"

using namespace opsig;
using namespace opsig::test;

namespace {

TEST(Pairs, TheSameTwice) {
  const char *Yaml = R"(
- func: f(Tensor self, *, Scalar alpha=1) -> Tensor
  dispatch:
    CPU: f
  autogen: f.out
)";
  TwoReleases T(Yaml, Yaml);
  EXPECT_TRUE(T.Diff.empty());
  EXPECT_EQ(T.Diff.Unchanged, 2u);
  EXPECT_EQ(T.Diff.changeOf(T.Old["f"]), nullptr);
  EXPECT_EQ(T.Diff.newOf(T.Old["f"]), &T.New["f"]);
}

TEST(Pairs, GoneAndAddedInTheirOrder) {
  TwoReleases T(R"(
- func: b(Tensor self, int n) -> Tensor
- func: a(Tensor self, float x) -> Tensor
- func: kept(Tensor self) -> Tensor
)",
                R"(
- func: kept(Tensor self) -> Tensor
- func: z(Tensor self, str s) -> Tensor
- func: y(Tensor self, bool b) -> Tensor
)");
  EXPECT_EQ(TwoReleases::names(T.Diff.Gone), "b a");
  EXPECT_EQ(TwoReleases::names(T.Diff.Added), "z y");
  EXPECT_TRUE(T.Diff.isGone(T.Old["b"]));
  EXPECT_EQ(T.Diff.newOf(T.Old["b"]), nullptr);
  EXPECT_EQ(T.Diff.Unchanged, 1u);
}

TEST(Pairs, ASharedKernelProvesARename) {
  TwoReleases T(R"(
- func: quux(Tensor self, int n) -> Tensor
  dispatch:
    CPU: the_kernel
    CUDA: quux_cuda
)",
                R"(
- func: bar(Tensor self, int n) -> Tensor
  dispatch:
    CPU: the_kernel
    CUDA: bar_cuda
)");
  EXPECT_EQ(T.changes(), "quux => bar certain [kernels, C++ callers, Python callers]\n"
                         "  kernel-renamed 'CUDA': quux_cuda => bar_cuda\n");
  EXPECT_TRUE(T.Diff.Gone.empty());
  EXPECT_TRUE(T.Diff.Added.empty());
}

TEST(Pairs, ASimilarNameMakesItLikely) {
  TwoReleases T("- func: pool_grad(Tensor self, int n) -> Tensor\n",
                "- func: _pool_grad(Tensor self, int n) -> Tensor\n");
  ASSERT_EQ(T.Diff.Changed.size(), 1u);
  EXPECT_EQ(T.Diff.Changed.front().Renamed, RenameVerifier::SameSchema);
}

TEST(Pairs, TheSameSchemaAloneIsNoRename) {
  TwoReleases T("- func: quux(Tensor self, int n) -> Tensor\n",
                "- func: bar(Tensor self, int n) -> Tensor\n");
  EXPECT_EQ(TwoReleases::names(T.Diff.Gone), "quux");
  EXPECT_EQ(TwoReleases::names(T.Diff.Added), "bar");
}

TEST(Pairs, AnOperatorOfAProjectsOwnStays) {
  TwoReleases T("- func: f(Tensor self) -> Tensor\n", "- func: g(int n) -> Tensor\n");
  Release Own("- func: f(Tensor self) -> Tensor\n", newDialect());
  EXPECT_EQ(T.Diff.newOf(Own["f"]), &Own["f"]);
  EXPECT_EQ(T.Diff.newOf(T.Old["f"]), nullptr);
}

TEST(Pairs, FamiliesShareLongSchemas) {
  TwoReleases T("- func: mkl_conv(Tensor self, int n, float x, bool b, str mode) -> Tensor\n",
                "- func: mps_conv(Tensor self, int n, float x, bool b, str mode) -> Tensor\n");
  EXPECT_EQ(TwoReleases::names(T.Diff.Gone), "mkl_conv");
}

TEST(Pairs, PartOfAWordIsNoWord) {
  TwoReleases T("- func: _cat(Tensor[] tensors, int dim) -> Tensor\n",
                "- func: concatenate(Tensor[] tensors, int dim) -> Tensor\n");
  EXPECT_EQ(TwoReleases::names(T.Diff.Gone), "_cat");
}

TEST(Pairs, AWordLess) {
  TwoReleases T("- func: norm_cuda_interface(Tensor self) -> Tensor\n",
                "- func: norm_interface(Tensor self) -> Tensor\n");
  ASSERT_EQ(T.Diff.Changed.size(), 1u);
  EXPECT_EQ(T.Diff.Changed.front().Renamed, RenameVerifier::SameSchema);
}

TEST(Pairs, OfTwoCandidatesNoneIsTaken) {
  TwoReleases T("- func: pool(Tensor self, int n) -> Tensor\n",
                "- func: _pool(Tensor self, int n) -> Tensor\n"
                "- func: pool_x(Tensor self, int n) -> Tensor\n");
  EXPECT_EQ(TwoReleases::names(T.Diff.Gone), "pool");
  EXPECT_EQ(TwoReleases::names(T.Diff.Added), "_pool pool_x");
}

TEST(Pairs, GeneratedOperatorsGoWithTheirSource) {
  TwoReleases T(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CPU: f
  autogen: f.out
)",
                R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CPU: f
)");
  EXPECT_EQ(TwoReleases::names(T.Diff.Gone), "f.out");
  EXPECT_EQ(T.changes(), "f []\n  autogen was f.out\n");
}

} // namespace
