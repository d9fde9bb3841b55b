//===- TextLayoutTest.cpp - Emphasis and columns of text for people -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Support/TextLayout.h"

using namespace opsig;

static std::string printed(const TextTable &Table, unsigned Indent) {
  std::string Out;
  llvm::raw_string_ostream OS(Out);
  Table.print(OS, Indent);
  return Out;
}

TEST(TextLayout, WithoutATerminalWordsStay) {
  TextStyle Plain;
  EXPECT_EQ(Plain.strong("a"), "a");
  EXPECT_EQ(Plain.removed("a", /*Changed=*/true), "a");
  EXPECT_EQ(Plain.place("f.cpp", 3, 4), "f.cpp:3:4");
  EXPECT_EQ(Plain.place("f.cpp", 3), "f.cpp:3");
  EXPECT_EQ(Plain.place("f.cpp"), "f.cpp");
}

TEST(TextLayout, PlacesAreLinksToFiles) {
  PrintOptions Options;
  Options.Folder = "/p";
  Options.AddressOf = [](llvm::StringRef File) { return ("file://h" + File).str(); };
  EXPECT_EQ(TextStyle(Options).place("/p/f.cpp", 3),
            "\x1b]8;;file://h/p/f.cpp\x1b\\f.cpp:3\x1b]8;;\x1b\\");
}

TEST(TextLayout, MarksTakeNoColumns) {
  PrintOptions Options;
  Options.Colors = true;
  Options.AddressOf = [](llvm::StringRef) { return "file:///x"; };
  TextStyle Style(Options);
  EXPECT_EQ(columnsOf("abc"), 3u);
  EXPECT_EQ(columnsOf(Style.strong("abc")), 3u);
  EXPECT_EQ(columnsOf(Style.added("a", true) + Style.removed("bc")), 3u);
  EXPECT_EQ(columnsOf(Style.place("f", 12)), 4u);
  EXPECT_EQ(columnsOf("\xc3\xbc"), 1u);
  EXPECT_EQ(columnsOf("\x1b["), 0u);
  EXPECT_EQ(columnsOf("\x1b]8;;x"), 0u);
}

TEST(TextLayout, ColumnsAreAligned) {
  TextTable Table("lrl");
  EXPECT_TRUE(Table.empty());
  EXPECT_EQ(printed(Table, 2), "");
  Table.add({"name", "1", "x"});
  Table.add({"n", "100", "long"});
  Table.add({"only"});
  EXPECT_EQ(printed(Table, 1), " name    1  x\n n     100  long\n only\n");
}

TEST(TextLayout, PercentagesNeverRoundToNoneOrAll) {
  EXPECT_EQ(percentOf(0, 0), "");
  EXPECT_EQ(percentOf(0, 5), "0%");
  EXPECT_EQ(percentOf(5, 5), "100%");
  EXPECT_EQ(percentOf(1, 3), "33%");
  EXPECT_EQ(percentOf(2, 3), "67%");
  EXPECT_EQ(percentOf(1, 1000), "<1%");
  EXPECT_EQ(percentOf(999, 1000), ">99%");
}

TEST(TextLayout, CutsAreBetweenCharacters) {
  llvm::StringRef Text = "a\xC3\xA9z";
  EXPECT_EQ(cutPlace(Text, 0), 0u);
  EXPECT_EQ(cutPlace(Text, 1), 1u);
  EXPECT_EQ(cutPlace(Text, 2), 1u);
  EXPECT_EQ(cutPlace(Text, 3), 3u);
  EXPECT_EQ(cutPlace(Text, 9), 4u);
  // No character begins here.
  EXPECT_EQ(cutPlace("\xB6\xB6\xB6", 2), 0u);
}
