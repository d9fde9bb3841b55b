//===- UniformTest.cpp - What changes everywhere in one way -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReleaseDiffInternal.h"
#include "TwoReleases.h"

using namespace opsig;
using namespace opsig::test;

namespace {

std::string everywhere(const ReleaseDiff &Diff) {
  std::string Text;
  for (const UniformChange &C : Diff.Everywhere)
    Text += C.From + " => " + C.To + " (" + std::to_string(C.Operators) + ", " + C.Example + ")\n";
  return Text;
}

const char *Yaml = R"(
- func: a(Tensor self, int? n=None) -> Tensor
- func: b(Tensor self, Tensor? w, ScalarType? dtype) -> Tensor
- func: c(Tensor self, int n) -> Tensor
)";

TEST(Uniform, AnotherSpellingIsOneLine) {
  TwoReleases T(Yaml, Yaml, oldDialect(), newDialect());
  EXPECT_EQ(everywhere(T.Diff), "c10::optional => ::std::optional (2, a)\n"
                                "c10::nullopt => ::std::nullopt (1, a)\n");
  EXPECT_TRUE(T.Diff.Changed.empty()) << "no operator changed, though three texts did";
}

TEST(Uniform, InOneDialectNothingIsSpelledOtherwise) {
  EXPECT_EQ(everywhere(TwoReleases(Yaml, Yaml).Diff), "");
}

/// The signature of a schema that did change is told in full; it counts for nothing here.
TEST(Uniform, ChangedSchemasDoNotCount) {
  TwoReleases T("- func: a(Tensor self, int? n) -> Tensor\n",
                "- func: a(Tensor self, int? n, int k) -> Tensor\n", oldDialect(), newDialect());
  EXPECT_EQ(everywhere(T.Diff), "");
}

TEST(Uniform, ATagThatMostOperatorsGet) {
  TwoReleases T("- func: a(Tensor self) -> Tensor\n- func: b(Tensor self) -> Tensor\n"
                "- func: c(Tensor self) -> Tensor\n",
                "- func: a(Tensor self) -> Tensor\n  tags: core\n- func: b(Tensor self) -> Tensor\n"
                "  tags: core\n- func: c(Tensor self) -> Tensor\n");
  EXPECT_EQ(everywhere(T.Diff), " => core (2, a)\n");
  EXPECT_TRUE(T.Diff.Changed.empty());
}

TEST(Uniform, ARuleThatChangesTypes) {
  // Another type for the same schema: no spelling, and kernels have to follow.
  Dialect Other = newDialect();
  Other.Spelling.ReturnsFollowSymInt = !Other.Spelling.ReturnsFollowSymInt;
  const char *Sizes = "- func: s(Tensor self) -> SymInt\n  manual_cpp_binding: True\n";
  TwoReleases T(Sizes, Sizes, newDialect(), Other);
  ASSERT_EQ(T.Diff.Everywhere.size(), 1u);
  EXPECT_EQ(T.Diff.Everywhere.front().Is, UniformChange::Rule);
}

TEST(Uniform, WordsThatDiffer) {
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(wordDifferences("const a::X<int> &", "const b::X<int> &"), (Pairs{{"a::X", "b::X"}}));
  EXPECT_EQ(wordDifferences("a::X<a::X<int>>", "b::X<b::X<int>>"), (Pairs{{"a::X", "b::X"}}));
  EXPECT_EQ(wordDifferences("const T &", "T"), (Pairs{{"const T &", "T"}}));
  EXPECT_EQ(wordDifferences("f(x)", "g(y, z)"), (Pairs{{"f(x", "g(y, z"}}));
  EXPECT_EQ(wordDifferences("same", "same"), Pairs());
}

} // namespace
