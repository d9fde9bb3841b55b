//===- PythonNumberTest.cpp - Numbers as Python reads and prints them ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Support/PythonNumber.h"

using namespace opsig;

namespace {

std::string repr(llvm::StringRef Text) {
  std::optional<double> Value = pythonFloat(Text);
  return Value ? pythonRepr(*Value) : "ValueError";
}

// Wanted values are what int() and repr(float()) of Python 3.11 say.
TEST(PythonNumber, ReadsIntegers) {
  EXPECT_EQ(pythonInt("007"), "7");
  EXPECT_EQ(pythonInt("-0"), "0");
  EXPECT_EQ(pythonInt(" +12_000\n"), "12000");
  EXPECT_EQ(pythonInt("1__0"), std::nullopt);
  EXPECT_EQ(pythonInt("_1"), std::nullopt);
  EXPECT_EQ(pythonInt("0x10"), std::nullopt);
  EXPECT_EQ(pythonInt("1.0"), std::nullopt);
  EXPECT_EQ(pythonInt(""), std::nullopt);
}

TEST(PythonNumber, PrintsFloats) {
  EXPECT_EQ(repr("1e-5"), "1e-05");
  EXPECT_EQ(repr("1.25e-8"), "1.25e-08");
  EXPECT_EQ(repr("0.0001"), "0.0001");
  EXPECT_EQ(repr("1e15"), "1000000000000000.0");
  EXPECT_EQ(repr("1e16"), "1e+16");
  EXPECT_EQ(repr("-1e100"), "-1e+100");
  EXPECT_EQ(repr(".5"), "0.5");
  EXPECT_EQ(repr("1."), "1.0");
  EXPECT_EQ(repr("1_0.2_5"), "10.25");
  EXPECT_EQ(repr("0.1"), "0.1");
  EXPECT_EQ(repr("0.30000000000000004"), "0.30000000000000004");
}

TEST(PythonNumber, ReadsWords) {
  EXPECT_EQ(repr("inf"), "inf");
  EXPECT_EQ(repr("-Infinity"), "-inf");
  EXPECT_EQ(repr("NaN"), "nan");
  EXPECT_EQ(repr("e5"), "ValueError");
  EXPECT_EQ(repr("1e"), "ValueError");
  EXPECT_EQ(repr("."), "ValueError");
  EXPECT_EQ(repr("1,5"), "ValueError");
}

} // namespace
