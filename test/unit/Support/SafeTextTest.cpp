//===- SafeTextTest.cpp - Text of others, safe to print -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Support/SafeText.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace opsig;
using llvm::StringRef;

TEST(SafeText, PlainTextStays) {
  for (StringRef Text : {"", "a b", "#include <x>", "## heading", "a::b", "\xc3\xbc\xe2\x82\xac"})
    EXPECT_EQ(safeText(Text), Text);
  EXPECT_EQ(safeText("a\tb\nc", LineEnds::Kept), "a\tb\nc");
}

TEST(SafeText, ControlsAreEscaped) {
  EXPECT_EQ(safeText("a\x1b[1m"), "a\\x1b[1m");
  EXPECT_EQ(safeText("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(safeText(StringRef("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(safeText("\x7f"), "\\x7f");
  EXPECT_EQ(safeText("\xc2\x9b"), "\\u009b");
  EXPECT_EQ(safeText("\xe2\x80\xae"), "\\u202e");
  EXPECT_EQ(safeText("\xf3\xa0\x80\xa1"), "\\U000e0021");
  EXPECT_EQ(safeText("a\rb\x1b", LineEnds::Kept), "a\\rb\\x1b");
}

TEST(SafeText, WhatIsNoUtf8IsEscaped) {
  EXPECT_EQ(safeText("a\xff"), "a\\xff");
  EXPECT_EQ(safeText("\xc3"), "\\xc3");
  EXPECT_EQ(safeText("\xed\xa0\x80"), "\\xed\\xa0\\x80"); // a half of a surrogate pair
  EXPECT_EQ(safeText("\xc0\x80"), "\\xc0\\x80");          // too long a form
}

TEST(SafeText, EveryByteGivesValidText) {
  for (int First = 0; First != 256; ++First)
    for (int Second = 0; Second != 256; ++Second) {
      char Bytes[] = {char(First), char(Second), 'x'};
      for (const std::string &Text :
           {safeText(StringRef(Bytes, 3)), safeColumns(StringRef(Bytes, 3)),
            markdownText(StringRef(Bytes, 3)), patchName(StringRef(Bytes, 3))}) {
        EXPECT_TRUE(llvm::json::isUTF8(Text));
        EXPECT_EQ(StringRef(Text).rtrim('\t').find_if([](unsigned char C) { return C < 0x20; }),
                  StringRef::npos);
      }
      EXPECT_EQ(safeColumns(StringRef(Bytes, 3)).size(), 3u);
    }
}

TEST(SafeText, CommandsOfLogServices) {
  EXPECT_EQ(safeText("a ##[error]b"), "a ##\\x5berror]b");
  EXPECT_EQ(safeText("##vso[task.x]"), "##vso\\x5btask.x]");
  EXPECT_EQ(safeText("####[x]"), "####\\x5bx]");
  EXPECT_EQ(safeColumns("##[error]"), "##?error]");
  EXPECT_EQ(safeText("a ## b[0]"), "a ## b[0]");
  EXPECT_EQ(safeLineStart("::error::x"), "\\x3a:error::x");
  EXPECT_EQ(safeLineStart("  ::error::x"), "  \\x3a:error::x");
  for (StringRef Text : {"a::b", "::std::optional", "::errors::x", "::at::Tensor"})
    EXPECT_EQ(safeLineStart(Text), Text);
  for (StringRef Line : {"::error::", " \t::Warning file=a::x", "a ##[group]b", "##vso[a]"})
    EXPECT_TRUE(looksLikeCommand(Line)) << Line.str();
  for (StringRef Line : {"a::b", "::std::x", "#define A ##B", "x[0]", "## [x]"})
    EXPECT_FALSE(looksLikeCommand(Line)) << Line.str();
}

TEST(SafeText, JsonKeepsItsValues) {
  for (StringRef Text : {"a\n\t\x1b", "\xc2\x9b", "\xe2\x80\xae", "##[error]", "\xc3\xbc"}) {
    std::string Safe = safeJson(llvm::formatv("{0}", llvm::json::Value(Text)).str());
    EXPECT_EQ(Safe, safeText(Safe));
    llvm::Expected<llvm::json::Value> Back = llvm::json::parse(Safe);
    ASSERT_TRUE(bool(Back));
    EXPECT_EQ(*Back, llvm::json::Value(Text));
  }
}

TEST(SafeText, Markdown) {
  EXPECT_EQ(markdownText("<b>&|[x](y)`*@a"), "&lt;b&gt;&amp;\\|\\[x\\](y)\\`\\*&#64;a");
  EXPECT_EQ(markdownText("a_b.cpp:3"), "a_b.cpp:3");
  EXPECT_EQ(markdownCode("add.Tensor"), "`add.Tensor`");
  EXPECT_EQ(markdownCode("a`b"), "``a`b``");
  EXPECT_EQ(markdownCode("`a|b"), "`` `a\\|b ``");
  EXPECT_EQ(markdownCode("a\nb"), "`a\\nb`");
}

TEST(SafeText, NamesInPatches) {
  EXPECT_EQ(patchName("csrc/a.cpp"), "csrc/a.cpp");
  EXPECT_EQ(patchName("gr\xc3\xbcn.cpp"), "gr\xc3\xbcn.cpp");
  EXPECT_EQ(patchName("a b.cpp"), "a b.cpp\t");
  EXPECT_EQ(patchName("a\nb"), "\"a\\012b\"");
  EXPECT_EQ(patchName("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(patchName("\xff"), "\"\\377\"");
}
