//===- SourceTokensTest.cpp - words and brackets of a source ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gtest/gtest.h"
#include "opsig/Edit/SourceTokens.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;

namespace {

TEST(SourceTokens, CommentsAndStringsHaveNoWords) {
  std::vector<std::string> Words;
  for (const SourceToken &T : tokensOf("a /* b */ \"c d\" // e\n'f' R\"x(g)x\" h"))
    if (T.Is == SourceToken::Word)
      Words.push_back(T.Text.str());
  EXPECT_EQ(Words, (std::vector<std::string>{"a", "h"}));
}

TEST(SourceTokens, CallsHaveTheirArguments) {
  llvm::StringRef Text = "f(a, g(b, c), {d, e}) + h() k(";
  std::vector<SourceToken> Tokens = tokensOf(Text);
  auto Named = [&](llvm::StringRef Name) {
    return size_t(llvm::find_if(Tokens, [&](const SourceToken &T) { return T.Text == Name; }) -
                  Tokens.begin());
  };
  std::optional<TokenCall> F = callAt(Text, Tokens, Named("f"));
  ASSERT_TRUE(F);
  EXPECT_EQ(F->Arguments, (std::vector<llvm::StringRef>{"a", "g(b, c)", "{d, e}"}));
  EXPECT_EQ(Text.take_front(F->End), "f(a, g(b, c), {d, e})");
  std::optional<TokenCall> H = callAt(Text, Tokens, Named("h"));
  ASSERT_TRUE(H);
  EXPECT_TRUE(H->Arguments.empty());
  EXPECT_FALSE(callAt(Text, Tokens, Named("a"))) << "no call";
  EXPECT_FALSE(callAt(Text, Tokens, Named("k"))) << "never closed";
}

TEST(SourceTokens, BracketsInStringsAndCommentsHoldNothing) {
  EXPECT_EQ(bracketed("{ a(\"}\"); /* } */ '}'; // }\n }; b }"),
            "{ a(\"}\"); /* } */ '}'; // }\n }");
  EXPECT_EQ(bracketed("(a, (b)"), "") << "never closed";
  EXPECT_EQ(bracketed("(1'000, '(')+1"), "(1'000, '(')") << "an apostrophe between digits";
  llvm::StringRef Text = "void f() { if (\"{\") { } x; }";
  EXPECT_EQ(braceAround(Text, Text.find('x')), Text.find('{'));
  EXPECT_FALSE(braceAround(Text, 3));
}

TEST(SourceTokens, CommasSeparateWhatNoBracketHolds) {
  using Parts = std::vector<llvm::StringRef>;
  EXPECT_EQ(commaSeparated(" a, f(b, c), {d, \",\"} "), (Parts{"a", "f(b, c)", "{d, \",\"}"}));
  EXPECT_EQ(commaSeparated(" "), Parts());
  EXPECT_FALSE(commaSeparated("a), (b"));
  EXPECT_FALSE(commaSeparated("f(a"));
  EXPECT_EQ(commaSeparated("{a, b}, (c, d)", /*OnlyParentheses=*/true),
            (Parts{"{a", "b}", "(c, d)"}));
}

TEST(SourceTokens, ConditionsEndWhereTheirEndifIs) {
  llvm::StringRef Text = "a\n# ifdef X\nb\n#if Y\nc\n#else\nd\n#endif\ne\n#endif\nf\n#if Z\ng";
  std::vector<ConditionalLines> Found = conditionalLines(Text);
  ASSERT_EQ(Found.size(), 3u);
  EXPECT_EQ(Found[0].Opening, "# ifdef X");
  EXPECT_TRUE(Found[0].Branches.empty());
  EXPECT_TRUE(Found[0].holds(Text.find('e', Text.find("#endif") + 6)));
  EXPECT_FALSE(Found[0].holds(Text.rfind("f\n#if Z")));
  EXPECT_EQ(Found[1].Branches, std::vector<uint32_t>{uint32_t(Text.find("#else"))});
  EXPECT_EQ(Text.slice(Found[1].Begin, Found[1].End), "#if Y\nc\n#else\nd\n#endif\n");
  EXPECT_EQ(Found[2].End, Text.size()) << "without an end";
}

} // namespace
