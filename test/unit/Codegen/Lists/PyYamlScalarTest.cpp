//===- PyYamlScalarTest.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is expected here is what PyYAML 6.0 on libyaml wrote for the same values:
// yaml.dump([value], Dumper=yaml.CSafeDumper, default_flow_style=False, width=1e9)
//
//===----------------------------------------------------------------------===//
#include "Lists/PyYamlScalarInternal.h"
#include "gtest/gtest.h"
#include <cmath>
#include <string_view>

using namespace opsig;
using namespace std::literals;

namespace {

std::string stringText(std::string_view Text, unsigned Indent = 2) {
  std::string Out;
  appendPyYamlString(Out, Text, Indent);
  return Out;
}

TEST(PyYamlScalarTest, StringsAreQuotedOnlyWhereNeeded) {
  const std::pair<std::string_view, std::string_view> Cases[] = {
      {"add"sv, "add"},
      {"const at::Tensor &"sv, "const at::Tensor &"},
      {"::std::tuple<at::Tensor,at::Tensor> (const at::Tensor &)"sv,
       "::std::tuple<at::Tensor,at::Tensor> (const at::Tensor &)"},
      {"at::kLong"sv, "at::kLong"},
      {"it's"sv, "it's"},
      {"a,b"sv, "a,b"},
      {"a:b"sv, "a:b"},
      {"-a"sv, "-a"},
      {"?a"sv, "?a"},
      {":a"sv, ":a"},
      {"y"sv, "y"},
      {"1e-05"sv, "1e-05"},
      {"0o17"sv, "0o17"},
      {"."sv, "."},
      {"+"sv, "+"},
      {"12:75"sv, "12:75"},
      {"2001-1-1"sv, "2001-1-1"},
      {"1.e"sv, "1.e"},
      {"1e+5"sv, "1e+5"},
      {""sv, "''"},
      {"{}"sv, "'{}'"},
      {"[a]"sv, "'[a]'"},
      {"#a"sv, "'#a'"},
      {"a #b"sv, "'a #b'"},
      {"a: b"sv, "'a: b'"},
      {"a:"sv, "'a:'"},
      {"-"sv, "'-'"},
      {"- a"sv, "'- a'"},
      {"? a"sv, "'? a'"},
      {"*"sv, "'*'"},
      {"%a"sv, "'%a'"},
      {"@a"sv, "'@a'"},
      {"`a"sv, "'`a'"},
      {"---a"sv, "'---a'"},
      {"..."sv, "'...'"},
      {" a"sv, "' a'"},
      {"a "sv, "'a '"},
      {"~"sv, "'~'"},
      {"null"sv, "'null'"},
      {"yes"sv, "'yes'"},
      {"OFF"sv, "'OFF'"},
      {"<<"sv, "'<<'"},
      {"="sv, "'='"},
      {"017"sv, "'017'"},
      {"08"sv, "08"},
      {"0x1f"sv, "'0x1f'"},
      {"0b1_0"sv, "'0b1_0'"},
      {"1_000"sv, "'1_000'"},
      {"-0"sv, "'-0'"},
      {"1:30"sv, "'1:30'"},
      {"0:30"sv, "0:30"},
      {"1:30.5"sv, "'1:30.5'"},
      {"1."sv, "'1.'"},
      {".5"sv, "'.5'"},
      {"-1.5"sv, "'-1.5'"},
      {"-.5"sv, "-.5"},
      {"1.5e+3"sv, "'1.5e+3'"},
      {"1.5e3"sv, "1.5e3"},
      {"+.inf"sv, "'+.inf'"},
      {".NaN"sv, "'.NaN'"},
      {"2001-01-01"sv, "'2001-01-01'"},
      {"2001-1-1 1:02:03 +1"sv, "'2001-1-1 1:02:03 +1'"},
      {"2001-01-01T01:02:03.5Z"sv, "'2001-01-01T01:02:03.5Z'"},
      {"'{}'"sv, "'''{}'''"},
      {"a\nb"sv, "'a\n\n  b'"},
      {"a\n"sv, "'a\n\n  '"},
      {"\n"sv, "'\n\n  '"},
      {"a\n\nit's"sv, "'a\n\n\n  it''s'"},
      {"a \nb"sv, "\"a \\nb\""},
      {"a\n b"sv, "\"a\\n b\""},
      {"a\011b"sv, "\"a\\tb\""},
      {"a\015b"sv, "\"a\\rb\""},
      {"a\000\"\\"sv, "\"a\\0\\\"\\\\\""},
      {"\033\177"sv, "\"\\e\\x7F\""},
      {"\303\251"sv, "\"\\xE9\""},
      {"\302\205\302\240"sv, "\"\\N\\_\""},
      {"\342\200\250\342\200\251\342\202\254"sv, "\"\\L\\P\\u20AC\""},
      {"\360\237\230\200"sv, "\"\\U0001F600\""},
      {"\357\273\277"sv, "\"\\uFEFF\""},
  };
  for (const auto &[Text, Yaml] : Cases)
    EXPECT_EQ(Yaml, stringText(Text));
}

TEST(PyYamlScalarTest, FurtherLinesAreIndented) {
  EXPECT_EQ("'a\n\n      b'", stringText("a\nb", 6));
}

TEST(PyYamlScalarTest, Floats) {
  const std::pair<double, std::string_view> Cases[] = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1.0, "1.0"},
      {0.1, "0.1"},
      {0.0001, "0.0001"},
      {1e-05, "1.0e-05"},
      {-1.25e-07, "-1.25e-07"},
      {1000000000000000.0, "1000000000000000.0"},
      {1e+16, "1.0e+16"},
      {1e+17, "1.0e+17"},
      {1.2345678901234568e+17, "1.2345678901234568e+17"},
      {1.7976931348623157e+308, "1.7976931348623157e+308"},
      {5e-324, "5.0e-324"},
      {INFINITY, ".inf"},
      {-INFINITY, "-.inf"},
      {NAN, ".nan"},
  };
  for (const auto &[Value, Yaml] : Cases)
    EXPECT_EQ(Yaml, pyYamlFloat(Value));
}

// The values that PyYAML wrote were made with Python's int() and float().
TEST(PyYamlScalarTest, DefaultsBecomeWhatPythonTakesThemFor) {
  const std::pair<std::string_view, std::string_view> Cases[] = {
      {"true", "true"},
      {"false", "false"},
      {"True", "'True'"},
      {"0", "0"},
      {"-1", "-1"},
      {"007", "7"},
      {"-00", "0"},
      {"+5", "5"},
      {"1_0", "10"},
      {"1__0", "'1__0'"},
      {"_1", "_1"},
      {" 3", "3"},
      {"0x10", "'0x10'"},
      {"1.", "1.0"},
      {".5", "0.5"},
      {".", "."},
      {"1e-05", "1.0e-05"},
      {"1E+5", "100000.0"},
      {"1e400", ".inf"},
      {"1e-400", "0.0"},
      {"1_0.0_5", "10.05"},
      {"inf", ".inf"},
      {"-Infinity", "-.inf"},
      {"nan", ".nan"},
      {"infinit", "infinit"},
      {"c10::nullopt", "c10::nullopt"},
      {"{}", "'{}'"},
      {"{0,1}", "'{0,1}'"},
      {"at::Reduction::Mean", "at::Reduction::Mean"},
      {"\"reflect\"", "'\"reflect\"'"},
      {"99999999999999999999", "99999999999999999999"},
  };
  for (const auto &[Text, Yaml] : Cases) {
    std::string Out;
    appendPyYamlDefault(Out, Text, 2);
    EXPECT_EQ(Yaml, Out) << Text;
  }
}

} // namespace
