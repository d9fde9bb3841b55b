//===- StringsTest.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is expected here is what Python's json.dumps wrote.
//
//===----------------------------------------------------------------------===//
#include "Print/StringsInternal.h"
#include "gtest/gtest.h"

using namespace opsig;

namespace {

TEST(StringsTest, JsonEscapesWhatIsNotPrintableAscii) {
  EXPECT_EQ(R"json("aten::f(str s='x')")json", jsonString("aten::f(str s='x')"));
  EXPECT_EQ(R"json("\"\\/")json", jsonString("\"\\/"));
  EXPECT_EQ(R"json("\b\f\n\r\t\u0001\u007f")json", jsonString("\b\f\n\r\t\x01\x7f"));
  EXPECT_EQ(R"json("\u00e9\u20ac\ud83d\ude00")json",
            jsonString("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"));
}

TEST(StringsTest, SchemasBecomeStringLiterals) {
  EXPECT_EQ(cppString("a\"b\\c\n\t"), R"("a\"b\\c\n\t")");
}

} // namespace
