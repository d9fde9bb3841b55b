//===- PrinterTest.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Support/Printer.h"

using namespace opsig;

namespace {

constexpr Template Plain = "no hole { $ } $x";
constexpr Template Call = "  ${callee}(${args}); // ${callee}";
constexpr Template Edges = "${a}${b}";

TEST(PrinterTest, FillsEveryHoleOfAName) {
  EXPECT_EQ("no hole { $ } $x", printed<Plain>());
  EXPECT_EQ("  f(x, y); // f", printed<Call>("args"_hole = "x, y", "callee"_hole = "f"));
  EXPECT_EQ("12", printed<Edges>("a"_hole = "1", "b"_hole = "2"));
}

TEST(PrinterTest, ValuesInALineGoInAsTheyAre) {
  EXPECT_EQ("${b} \n  x ", printed<Edges>("a"_hole = "${b} \n", "b"_hole = "  x "));
  EXPECT_EQ("", printed<Edges>("a"_hole = "", "b"_hole = ""));
}

TEST(PrinterTest, AppendsToTheBuffer) {
  std::string Out = "<";
  print<Edges>(Out, "a"_hole = "1", "b"_hole = "2");
  EXPECT_EQ("<12", Out);
}

constexpr Template Lines = R"(
{
  ${body}
}
)";

TEST(PrinterTest, ABlockIsIndentedAndEndsItsLineOnce) {
  EXPECT_EQ("{\n  a;\n    b;\n\n  c;\n}\n", printed<Lines>("body"_hole = "a;\n  b;\n\nc;"));
  EXPECT_EQ("{\n  a;\n}\n", printed<Lines>("body"_hole = "a;\n"));
  EXPECT_EQ("{\n}\n", printed<Lines>("body"_hole = ""));
}

TEST(PrinterTest, ListsAreLinesOrAreJoined) {
  std::vector<std::string> List = {"a", "b\n", "", "c"};
  EXPECT_EQ("{\n  a\n  b\n  c\n}\n", printed<Lines>("body"_hole = List));
  std::vector<std::string> Args = {"x", "y"};
  EXPECT_EQ("  f(x, y); // f", printed<Call>("args"_hole = Args, "callee"_hole = "f"));
}

TEST(PrinterTest, FunctionsPrintIntoTheSameBuffer) {
  auto Inner = [](std::string &Out) {
    print<Lines>(Out, "body"_hole = "x;");
    print<Lines>(Out, "body"_hole = "");
  };
  EXPECT_EQ("{\n  {\n    x;\n  }\n  {\n  }\n}\n", printed<Lines>("body"_hole = Inner));
  EXPECT_EQ("{\n}\n", printed<Lines>("body"_hole = [](std::string &) {}));
}

TEST(PrinterTest, ItemsAreMadeAsTheyArePrinted) {
  std::vector<int> Numbers = {1, 2, 3};
  auto Text = [](int I) { return std::to_string(I); };
  auto Print = [](std::string &Out, int I) { Out += std::to_string(I) + "\n"; };
  EXPECT_EQ("{\n  1\n  2\n  3\n}\n", printed<Lines>("body"_hole = each(Numbers, Print)));
  EXPECT_EQ("  f(1, 2, 3); // f",
            printed<Call>("args"_hole = each(Numbers, Text), "callee"_hole = "f"));
  EXPECT_EQ("1|2|3", each(Numbers, Text, "|").str());
  EXPECT_EQ("{\n}\n", printed<Lines>("body"_hole = each(std::vector<int>(), Text)));
}

constexpr Template InPlace = R"(
  ${=first}
  ${=second})";

constexpr Template Padded = R"(
  ${+body}
)";

TEST(PrinterTest, BlankLinesOfABlockAreIndentedOnDemand) {
  EXPECT_EQ("  a\n  \n  b\n", printed<Padded>("body"_hole = "a\n\nb"));
}

TEST(PrinterTest, WhatIsFilledInPlaceIsNotLaidOut) {
  EXPECT_EQ("  a\nb\n\n  ", printed<InPlace>("first"_hole = "a\nb\n", "second"_hole = ""));
}

constexpr Template Parts = R"(
f(${if x}${x}, ${end}y)
  ${if x}use(${x});${end}
${if flag}
  yes
${else}
  no
  ${if x}
  x
  ${end}
${end}
end
)";

TEST(PrinterTest, ConditionsChooseLinesAndParts) {
  EXPECT_EQ("f(1, y)\n  use(1);\n  yes\nend\n", printed<Parts>("x"_hole = "1", "flag"_hole = true));
  EXPECT_EQ("f(1, y)\n  use(1);\n  no\n  x\nend\n",
            printed<Parts>("x"_hole = "1", "flag"_hole = false));
  EXPECT_EQ("f(y)\n  no\nend\n", printed<Parts>("x"_hole = "", "flag"_hole = false));
  std::vector<int> None;
  auto Items = each(None, [](int) { return "x"; });
  EXPECT_EQ("f(y)\n  no\nend\n", printed<Parts>("x"_hole = Items, "flag"_hole = false));
}

constexpr Template TwoEnds = R"(
${if x}a${end} ${if x}b${end}
${if x}c${end}.
)";

TEST(PrinterTest, ALineIsOptionalOnlyAsAWhole) {
  EXPECT_EQ("a b\nc.\n", printed<TwoEnds>("x"_hole = true));
  EXPECT_EQ(" \n.\n", printed<TwoEnds>("x"_hole = false));
}

TEST(PrinterTest, AFrameMayHoldMoreThanATemplateWants) {
  auto Shared = frame("a"_hole = std::string("kept by the frame"), "callee"_hole = "f");
  EXPECT_EQ("kept by the frame!", printed<Edges>(Shared, "b"_hole = "!"));
  EXPECT_EQ("  f(); // f", printed<Call>(frame(Shared, "args"_hole = "")));
}

// What print() asserts when opsig is compiled.
using Args = decltype("args"_hole = "");
using Callee = decltype("callee"_hole = "");
using Flag = decltype("args"_hole = true);
static_assert(!printer::wire<Call, Args>().HasAllValues);
static_assert(printer::wire<Call, Args, Callee>().HasAllValues);
static_assert(!printer::wire<Plain, Args>().HasAllHoles);
static_assert(printer::wire<Plain, Frame<Args>>().HasAllHoles);
static_assert(!printer::wire<Call, Flag, Callee>().FlagsAreConditions);

} // namespace
