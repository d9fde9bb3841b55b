//===- FragmentTest.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Print/FragmentInternal.h"
#include "gtest/gtest.h"

using namespace opsig;

namespace {

constexpr FixedString Plain = "no hole { $ } $x";
constexpr FixedString Call = "  ${callee}(${args}); // ${callee}";
constexpr FixedString Edges = "${a}${b}";

TEST(FragmentTest, FillsEveryHoleOfAName) {
  EXPECT_EQ("no hole { $ } $x", fill<Plain>());
  EXPECT_EQ("  f(x, y); // f", fill<Call>("args"_hole = "x, y", "callee"_hole = "f"));
  EXPECT_EQ("12", fill<Edges>("a"_hole = "1", "b"_hole = "2"));
}

TEST(FragmentTest, ValuesGoInAsTheyAre) {
  EXPECT_EQ("${b} \n  x ", fill<Edges>("a"_hole = "${b} \n", "b"_hole = "  x "));
  EXPECT_EQ("", fill<Edges>("a"_hole = "", "b"_hole = ""));
}

// What fill() asserts when opsig is compiled.
static_assert(fragment::hasOnlyHoles(Call.view(), std::string_view("args"),
                                     std::string_view("callee")));
static_assert(!fragment::hasOnlyHoles(Call.view(), std::string_view("args")));
static_assert(fragment::hasHole(Call.view(), "callee"));
static_assert(!fragment::hasHole(Call.view(), "calle"));

} // namespace
