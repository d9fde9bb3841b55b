//===- HtmlPageTest.cpp - Reports as pages -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Support/HtmlPage.h"

using namespace opsig;

namespace {

std::string printed(const HtmlPage &Page) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printHtmlPage(OS, Page);
  return Text;
}

TEST(HtmlPage, TextIsEscaped) {
  EXPECT_EQ(htmlText("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_EQ(htmlText("\xff"), "\\xff");
  std::string Text = printed({.Title = "1 <b>", .Summary = "a & b.", .Version = "0.1"});
  EXPECT_NE(Text.find("<title>opsig: 1 &lt;b&gt;</title>"), std::string::npos);
  EXPECT_NE(Text.find("<p class=\"count\">a &amp; b. opsig 0.1</p>"), std::string::npos);
}

TEST(HtmlPage, PartsThatAreNotThereLeaveNothing) {
  std::string Empty = printed({.Title = "t", .Summary = "s", .Version = "v"});
  for (const char *Part : {"<form", "<script", "<main", "<ul>"})
    EXPECT_EQ(Empty.find(Part), std::string::npos) << Part;
  std::string Unfiltered =
      printed({.Title = "t", .Summary = "s", .Version = "v", .Main = "<p>x</p>\n"});
  EXPECT_EQ(Unfiltered.find("<form"), std::string::npos);
  EXPECT_NE(Unfiltered.find("<main>\n<p>x</p>\n</main>"), std::string::npos);
}

TEST(HtmlPage, WhatIsLargeIsPrintedBehindTheRest) {
  auto More = [](std::string &Out) { Out += "<p>y</p>\n"; };
  std::string Text =
      printed({.Title = "t", .Summary = "s", .Version = "v", .Main = "<p>x</p>\n", .More = More});
  EXPECT_NE(Text.find("<main>\n<p>x</p>\n<p>y</p>\n</main>\n<script"), std::string::npos) << Text;
  Text = printed({.Title = "t", .Summary = "s", .Version = "v", .More = More});
  EXPECT_NE(Text.find("<main>\n<p>y</p>\n</main>\n<script"), std::string::npos) << Text;
}

TEST(HtmlPage, NotesSayWhatIsAWarning) {
  std::string Text =
      printed({.Title = "t", .Summary = "s", .Version = "v", .Notes = {{"a", true}, {"<", false}}});
  EXPECT_NE(Text.find("<li><b>warning:</b> a</li>\n<li>&lt;</li>"), std::string::npos) << Text;
}

TEST(HtmlPage, ChoicesCount) {
  EXPECT_EQ(htmlChoice("File", "file", {{"a", 2}, {"b\"", 1}}, {{"a", "A"}}),
            "<label>File <select name=\"file\"><option value=\"\">all</option>"
            "<option value=\"a\">A (2)</option><option value=\"b&quot;\">b&quot; (1)</option>"
            "</select></label>\n");
}

TEST(HtmlPage, LinksAreUrls) {
  EXPECT_EQ(htmlFileLink("a/b c.cpp", 3), "a/b%20c.cpp#L3");
  EXPECT_EQ(htmlFileLink("/a/%.cpp", 0), "file:///a/%25.cpp");
  EXPECT_EQ(htmlFileLink("\"><x", 0), "%22%3E%3Cx");
}

} // namespace
