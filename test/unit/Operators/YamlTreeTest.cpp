//===- YamlTreeTest.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "llvm/ADT/StringExtras.h"
#include "../../../lib/Operators/YamlTreeInternal.h"

using namespace opsig;

namespace {

std::string cut(llvm::StringRef Text, unsigned Count) {
  std::string Out;
  for (const YamlPiece &Piece : cutBetweenItems(Text, Count))
    Out += std::to_string(Piece.LinesBefore) + "[" + Piece.Text.str() + "]";
  return Out;
}

TEST(CutBetweenItems, CutsInFrontOfItems) {
  EXPECT_EQ("0[- a: 1\n  b: 2\n  c: 3\n]3[- a: 4\n  b: 5\n]",
            cut("- a: 1\n  b: 2\n  c: 3\n- a: 4\n  b: 5\n", 2));
  EXPECT_EQ("0[# c\n]1[- a\n]2[- b\n]3[- c]", cut("# c\n- a\n- b\n- c", 8));
  EXPECT_EQ("0[- a\n- b\n]", cut("- a\n- b\n", 1));
  EXPECT_EQ("0[]", cut("", 4));
}

TEST(CutBetweenItems, LeavesIndentedItemsTogether) {
  EXPECT_EQ("0[a:\n  - b\n  - c\n]", cut("a:\n  - b\n  - c\n", 4));
}

TEST(CutBetweenItems, LeavesDocumentsWhole) {
  for (const char *Text : {"- a\n---\n- b\n", "- a\n...\n- b\n", "- a\n%x\n- b\n"})
    EXPECT_EQ("0[" + std::string(Text) + "]", cut(Text, 4));
}

std::string wanted(llvm::StringRef Text, llvm::StringRef Name) {
  std::string Out;
  for (const YamlPiece &Piece :
       wantedItems(Text, [&](llvm::StringRef Line) { return Line.contains(Name); }))
    Out += std::to_string(Piece.LinesBefore) + "[" + Piece.Text.str() + "]";
  return Out;
}

TEST(WantedItems, KeepsTheFirstItemAndTheWantedOnes) {
  EXPECT_EQ("0[# c\n\n- a\n  x: 1\n]5[- b1\n# d\n- b2\n]9[- b3]",
            wanted("# c\n\n- a\n  x: 1\n- c\n- b1\n# d\n- b2\n- c\n- b3", "b"));
  EXPECT_EQ("0[- a\n]", wanted("- a\n- c: b\n- d\n", "x"));
  EXPECT_EQ("", wanted("", "x"));
}

TEST(WantedItems, KeepsAllThatAQuotedScalarMayReachInto) {
  // The end of the scalar may begin another one as well.
  EXPECT_EQ("0[- a\n]2[- c: 'open\n- still'\n- d\n]",
            wanted("- a\n- b\n- c: 'open\n- still'\n- d\n- e\n", "x"));
  EXPECT_EQ("0[- a\n]2[- c: \"#\n# still\n- end\"\n- d\n]",
            wanted("- a\n- b\n- c: \"#\n# still\n- end\"\n- d\n- e\n", "x"));
  // An apostrophe in a comment between items opens nothing.
  EXPECT_EQ("0[- a\n]", wanted("- a\n- b: 1\n# don't\n- c\n", "x"));
}

TEST(WantedItems, LeavesDocumentsWhole) {
  EXPECT_EQ("0[- a\n---\n- b\n]", wanted("- a\n---\n- b\n", "x"));
}

/// Long enough for several pieces.
constexpr unsigned NumItems = 12000;

std::string longList() {
  std::string Text;
  for (unsigned I = 0; I < NumItems; ++I)
    Text += "- name: n" + std::to_string(I) + "\n";
  return Text;
}

struct Parsed {
  SourceFiles Files;
  Findings Diags;
  std::unique_ptr<YamlTree> Tree;

  explicit Parsed(std::string Text) {
    Tree = std::make_unique<YamlTree>(Files.add("list.yaml", std::move(Text)), Files, Diags);
  }
  /// "LINE:COLUMN: message" of each diagnostic.
  std::string messages() const {
    std::string Out;
    for (const Finding &D : Diags.all())
      Out += std::to_string(D.At.Line) + ":" + std::to_string(D.At.Column) + ": " + D.Message;
    return Out;
  }
};

TEST(LongList, HasAllItemsWithTheirPlaces) {
  Parsed P(longList());
  EXPECT_EQ("", P.messages());
  ASSERT_NE(nullptr, P.Tree->root());
  ASSERT_EQ(NumItems, P.Tree->root()->Children.size());
  for (unsigned I = 0; I < NumItems; ++I) {
    const YamlNode &Item = *P.Tree->root()->Children[I];
    ASSERT_EQ(2u, Item.Children.size());
    ASSERT_EQ("n" + std::to_string(I), Item.Children[1]->Text.Text);
    ASSERT_EQ(I + 1, Item.Children[1]->at().Line);
    ASSERT_EQ(9u, Item.Children[1]->at().Column);
  }
}

/// The long list with \p Line in the place of its line \p Number, counted from 1.
Parsed withLine(unsigned Number, llvm::StringRef Line) {
  std::string Text = longList();
  size_t At = Text.find("- name: n" + std::to_string(Number - 1) + "\n");
  Text.replace(At, Text.find('\n', At) - At, Line.str());
  return Parsed(std::move(Text));
}

TEST(LongList, SaysWhatIsWrongInAnyPart) {
  for (unsigned Line : {1u, 2u, NumItems / 2, NumItems - 1, NumItems}) {
    EXPECT_EQ(std::to_string(Line) + ":10: key 'a' occurs twice in this mapping",
              withLine(Line, "- {a: 1, a: 2}").messages());
    Parsed Broken = withLine(Line, "- name: [");
    EXPECT_EQ(nullptr, Broken.Tree->root());
    EXPECT_EQ(1u, Broken.Diags.size());
  }
}

TEST(LongList, AQuoteMaySpanItems) {
  Parsed P = withLine(NumItems / 3, "- \"");
  EXPECT_EQ(nullptr, P.Tree->root());
  EXPECT_EQ(std::to_string(NumItems / 3) + ":3: invalid YAML: this quote is never closed",
            P.messages());
}

TEST(LongList, AnAnchorCountsInTheWholeFile) {
  std::string Text = "- &a first\n" + longList() + "- *a\n";
  Parsed P(Text);
  EXPECT_EQ("", P.messages());
  ASSERT_NE(nullptr, P.Tree->root());
  EXPECT_EQ("first", P.Tree->root()->Children.back()->Text.Text);
}

TEST(LongList, AMappingIsNoList) {
  Parsed P("first:\n" + longList());
  EXPECT_EQ("", P.messages());
  ASSERT_NE(nullptr, P.Tree->root());
  EXPECT_EQ(YamlNode::Map, P.Tree->root()->Is);
}

} // namespace
