//===- SourceShapeTest.cpp - where text goes in C++ code ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../../../lib/Edit/SourceShapeInternal.h"

#include "gtest/gtest.h"

using namespace opsig;
using namespace llvm;

namespace {

/// Takes the marks out of \p Marked: "^" is a position.
std::string unmarked(StringRef Marked, std::vector<size_t> &Positions) {
  std::string Text;
  for (char C : Marked)
    if (C == '^')
      Positions.push_back(Text.size());
    else
      Text += C;
  return Text;
}

std::string with(std::string Text, const Insertion &I) {
  Text.insert(I.Offset, I.Text);
  return Text;
}

/// Behind the declaration that begins at the first mark and whose declarator ends at the second.
std::string behind(StringRef Marked, std::vector<std::string> Items, Gap G) {
  std::vector<size_t> At;
  std::string Text = unmarked(Marked, At);
  std::optional<size_t> End = endOfDeclaration(Text, At[1]);
  return End ? with(Text, insertBehind(Text, At[0], *End, Items, G)) : "no end";
}

std::string before(StringRef Marked, std::vector<std::string> Items, Gap G) {
  std::vector<size_t> At;
  std::string Text = unmarked(Marked, At);
  return with(Text, insertBefore(Text, At[0], Items, G));
}

std::string atEnd(StringRef Marked, std::vector<std::string> Items, Gap G) {
  std::vector<size_t> At;
  std::string Text = unmarked(Marked, At);
  return with(Text, insertAtEnd(Text, At[0], At[1], Items, "  ", G));
}

std::string without(StringRef Marked) {
  std::vector<size_t> At;
  std::string Text = unmarked(Marked, At);
  auto [Offset, Length] = removalOf(Text, At[0], At[1]);
  Text.erase(Offset, Length);
  return Text;
}

TEST(SourceShape, FindsTheEndOfDeclarationsByTheirTokens) {
  EXPECT_EQ(behind("^int f()^;\nint z;\n", {"int g();"}, Gap::Line),
            "int f();\nint g();\nint z;\n");
  EXPECT_EQ(behind("^int f()^ {\n  char c = '}'; // }\n  return \"}\"[0]; /* } */\n}\n", {"g"},
                   Gap::EmptyLine),
            "int f() {\n  char c = '}'; // }\n  return \"}\"[0]; /* } */\n}\n\ng\n");
  EXPECT_EQ(behind("^int f()^ { auto s = R\"(})\"; { } }", {"g"}, Gap::Line),
            "int f() { auto s = R\"(})\"; { } }\ng");
  EXPECT_EQ(behind("^int f()^ {", {"g"}, Gap::Line), "no end");
  EXPECT_EQ(behind("^int f()^ }", {"g"}, Gap::Line), "no end");
}

TEST(SourceShape, LeavesCommentsWhereTheyBelong) {
  EXPECT_EQ(behind("  ^int f()^; // of f\n  int z;\n", {"int g();"}, Gap::Line),
            "  int f(); // of f\n  int g();\n  int z;\n");
  EXPECT_EQ(behind("^int f()^; /* of f */\n", {"int g();"}, Gap::Line),
            "int f(); /* of f */\nint g();\n");
  EXPECT_EQ(before("int a;\n\n/// Of f.\n// More.\n^int f();\n", {"int g();"}, Gap::Line),
            "int a;\n\nint g();\n/// Of f.\n// More.\nint f();\n");
}

TEST(SourceShape, BreaksLinesThatHoldMore) {
  EXPECT_EQ(behind("^int f()^; int z;\n", {"int g();"}, Gap::Line),
            "int f();\nint g();\n int z;\n");
  EXPECT_EQ(before("int a; ^int f();\n", {"int g();"}, Gap::Line), "int a; int g();\nint f();\n");
}

TEST(SourceShape, KeepsEmptyLinesBetween) {
  EXPECT_EQ(before("#include <a>\n^int f() {}\n", {"int g() {}", "int h() {}"}, Gap::EmptyLine),
            "#include <a>\n\nint g() {}\n\nint h() {}\n\nint f() {}\n");
  EXPECT_EQ(before("namespace n {\n^int f() {}\n", {"int g() {}"}, Gap::EmptyLine),
            "namespace n {\nint g() {}\n\nint f() {}\n");
}

TEST(SourceShape, FillsBodies) {
  EXPECT_EQ(atEnd("struct K {^^};\n", {"int f();", "int g();"}, Gap::Line),
            "struct K {\n  int f();\n  int g();\n};\n");
  EXPECT_EQ(atEnd("struct K {^\n^};\n", {"int f();"}, Gap::Line), "struct K {\n  int f();\n};\n");
  EXPECT_EQ(atEnd("struct K {^\n  int a; // last\n^};\n", {"int f();"}, Gap::Line),
            "struct K {\n  int a; // last\n  int f();\n};\n");
  EXPECT_EQ(atEnd("^int a;\n^", {"int f() {}"}, Gap::EmptyLine), "int a;\n\n  int f() {}\n");
}

TEST(SourceShape, KeepsTheLineBreaksOfTheFile) {
  EXPECT_EQ(behind("^int f()^;\r\nint z;\r\n", {"int g();"}, Gap::Line),
            "int f();\r\nint g();\r\nint z;\r\n");
}

TEST(SourceShape, RemovesWholeLinesWhereNothingElseIsOnThem) {
  EXPECT_EQ(without("a;\n  ^b;^ // of b\nc;\n"), "a;\nc;\n");
  EXPECT_EQ(without("a;\r\n^b(\r\n1);^\r\nc;\r\n"), "a;\r\nc;\r\n");
  EXPECT_EQ(without("a; ^b;^\n"), "a; \n");
  EXPECT_EQ(without("^b;^ c;\n"), " c;\n");
  EXPECT_EQ(without("a;\n^b;^"), "a;\n");
}

TEST(SourceShape, StatementsEndInASemicolon) {
  EXPECT_EQ(endOfStatement("f() /* ; */ ;", 3), 13u);
  EXPECT_EQ(endOfStatement("f().g();", 3), std::nullopt);
}

} // namespace
