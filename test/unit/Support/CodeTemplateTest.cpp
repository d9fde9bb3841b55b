//===- CodeTemplateTest.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expected texts are those of torchgen's own template class on the same input: of 1.13.1 for
// BlockLines::Keep, of 2.9.1 for Trim.
//
//===----------------------------------------------------------------------===//
#include "gtest/gtest.h"
#include "opsig/Support/CodeTemplate.h"

using namespace llvm;
using namespace opsig;

namespace {

using List = std::vector<std::string>;
struct Value {
  StringRef Name;
  std::variant<std::string, List> Is;
};
using TemplateValues = std::vector<Value>;

std::string fill(StringRef Text, const TemplateValues &Values, BlockLines Lines) {
  std::vector<TemplateValue> Views;
  for (const Value &V : Values)
    std::visit([&](const auto &Is) { Views.push_back({V.Name, HoleView(Is)}); }, V.Is);
  std::string Out;
  CodeTemplate(Text).print(Out, Views, Lines);
  return Out;
}
std::string keep(StringRef Text, const TemplateValues &Values) {
  return fill(Text, Values, BlockLines::Keep);
}
std::string trim(StringRef Text, const TemplateValues &Values) {
  return fill(Text, Values, BlockLines::Trim);
}

TEST(CodeTemplateTest, InlineHolesJoinLists) {
  TemplateValues V = {{"a", "x\n  y"}, {"l", List{"p", "q"}}, {"none", List{}}};
  EXPECT_EQ("int x\n  y(p, q)", keep("int $a(${l})", V));
  EXPECT_EQ("f(1, p, q)", keep("f(1${,l})", V));
  EXPECT_EQ("f(p, q, 1)", keep("f(${l,}1)", V));
  EXPECT_EQ("f(1, p, q, )", keep("f(1${,l,})", V));
  EXPECT_EQ("f(1)", keep("f(1${,none,})", V));
  EXPECT_EQ("f(1x\n  y2)", keep("f(1${,a,}2)", V)) << "commas are for lists only";
}

TEST(CodeTemplateTest, BlockHolesIndentEveryLine) {
  TemplateValues V = {
      {"l", List{"p;\nq;\n", "r;"}}, {"s", "one\ntwo"}, {"none", List{}}, {"e", ""}};
  EXPECT_EQ("{\n    p;\n    q;\n    r;\n}", keep("{\n    $l\n}", V));
  EXPECT_EQ("one\ntwo\n", keep("${s}\n", V)) << "a string at column 0 is a block, too";
  EXPECT_EQ("  one\n  two;", keep("  $s;", V)) << "what follows stays on the last line";
  EXPECT_EQ("  p;\n  q;\n  r;", keep("  ${,l,}", V)) << "commas mean nothing to a block";
  EXPECT_EQ("a\n\nb\n", keep("a\n    ${none}\nb\n", V)) << "the indentation goes with the value";
  EXPECT_EQ("a\n\nb", keep("a\n  $e\nb", V));
}

TEST(CodeTemplateTest, OnlyTheFirstHoleOfALineIsABlock) {
  TemplateValues V = {{"a", "x\ny"}, {"b", List{"p", "q"}}};
  EXPECT_EQ("  x\n  y p, q", keep("  $a $b", V));
  EXPECT_EQ("$1 x\ny", keep("$1 $a", V));
}

TEST(CodeTemplateTest, BlocksLoseTheirEnd) {
  TemplateValues V = {{"l", List{"p;", "", "  ", "q; \n\n \n"}}};
  EXPECT_EQ("  p;\n    \n  q;\n", keep("  $l\n", V));
  EXPECT_EQ("  p;\n\n  q;\n", trim("  $l\n", V));
}

TEST(CodeTemplateTest, BlankLinesOfABlock) {
  TemplateValues V = {{"s", "p \n\nq\t\n \nr"}};
  EXPECT_EQ("  p \n  \n  q\t\n   \n  r", keep("  $s", V));
  EXPECT_EQ("  p\n\n  q\n\n  r", trim("  $s", V));
}

TEST(CodeTemplateTest, DollarSignsThatAreNoHoles) {
  TemplateValues V = {{"a", "$a"}};
  for (StringRef Text :
       {"$", "$$", "$1", "${", "${a", "${ a}", "${}", "${,}", "${,,a}", "${a,,}", "x $ a"})
    EXPECT_EQ(Text, keep(Text, V));
  EXPECT_EQ("$$a", keep("$$a", V)) << "and values are not looked at again";
}

TEST(CodeTemplateTest, NamesEndWhereIdentifiersEnd) {
  TemplateValues V = {{"a_1", "A"}, {"_", "U"}};
  EXPECT_EQ("-A.b-U-", keep("-$a_1.b-$_-", V));
}

TEST(CodeTemplateTest, AllOfPythonsLineEnds) {
  TemplateValues V = {{"s", "a\rb\r\nc\vd\fe\x1cg\x1dh\x1ei\u0085j\u2028k\u2029l"}};
  EXPECT_EQ(" a\n b\n c\n d\n e\n g\n h\n i\n j\n k\n l", keep(" $s", V));
  using Lines = std::vector<StringRef>;
  EXPECT_EQ(Lines({"a", "b", "", "c"}), splitLinesLikePython("a\r\nb\n\rc"));
  EXPECT_EQ(Lines({"a"}), splitLinesLikePython("a\n"));
  EXPECT_EQ(Lines({"\x1f\u00a0"}), splitLinesLikePython("\x1f\u00a0"));
  EXPECT_EQ(Lines(), splitLinesLikePython(""));
}

TEST(CodeTemplateTest, UnicodeBlanks) {
  TemplateValues V = {{"s", "a\u3000\nb\u00a0\x1f\n\u2003"}};
  EXPECT_EQ("\u3000a\u3000\n\u3000b;", keep("\u3000$s;", V));
  EXPECT_EQ("\u3000a\n\u3000b;", trim("\u3000$s;", V));
}

TEST(CodeTemplateTest, LineEndsInTheIndentation) {
  TemplateValues V = {{"s", "y"}};
  EXPECT_EQ("\r\ry", keep("\r\r$s", V));
  EXPECT_EQ("\n\ny", trim("\r\r$s", V));
}

TEST(CodeTemplateTest, AHoleWithoutValueStaysEmpty) {
  EXPECT_EQ("a\nx\ny\n\n", keep("a\n$a\n  $b\n$c", {{"a", "x\ny"}}));
}

TEST(CodeTemplateTest, FunctionsAndItemsPrintIntoTheSameBuffer) {
  std::vector<int> Numbers = {1, 2};
  auto Items = each(Numbers, [](int I) { return std::string(I, 'x'); });
  auto Function = [](std::string &Out) { Out += "p\n\nq \n"; };
  std::string Out = "-";
  CodeTemplate("  $f\n  $i\ng($i${,i})")
      .print(Out, {{{"f", HoleView(Function)}, {"i", HoleView(Items)}}}, BlockLines::Trim);
  EXPECT_EQ("-  p\n\n  q\n  x\n  xx\ng(x, xx, x, xx)", Out);
}

TEST(CodeTemplateTest, HolesWithTheirPlaces) {
  StringRef Text = "$a\n  ${,b,};$c ${ no}";
  std::vector<TemplateHole> Holes = CodeTemplate(Text).holes();
  ASSERT_EQ(3u, Holes.size());
  EXPECT_EQ("a", Holes[0].Name);
  EXPECT_EQ(0u, Holes[0].Begin);
  EXPECT_EQ("b", Holes[1].Name);
  EXPECT_EQ(5u, Holes[1].Begin);
  EXPECT_EQ("${,b,}", Text.slice(Holes[1].Begin, Holes[1].End));
  EXPECT_EQ("$c", Text.slice(Holes[2].Begin, Holes[2].End));

  // Blocks are the first two, in which commas mean nothing.
  std::string Out;
  std::vector<std::string> Two = {"1", "2"};
  CodeTemplate(Text).print(Out, {{{"a", Two}, {"b", Two}, {"c", Two}}}, BlockLines::Trim);
  EXPECT_EQ("1\n2\n  1\n  2;1, 2 ${ no}", Out);
}

TEST(CodeTemplateTest, UniversalNewlines) {
  EXPECT_EQ("a\nb\nc\n\nd\n", withUniversalNewlines("a\r\nb\rc\n\rd\r"));
}

} // namespace
