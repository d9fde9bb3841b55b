//===- SuppressTest.cpp - comments that silence findings ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Report/Suppress.h"
#include "opsig/Support/FindingIds.h"

#include "gtest/gtest.h"

using namespace opsig;

namespace {

using Lines = std::vector<uint32_t>;

/// The lines of \p Text in which \p Check is reported, out of those that hold \p Word.
Lines reported(std::string Text, llvm::StringRef Check, llvm::StringRef Word,
               llvm::StringRef Name = "a.cpp") {
  SourceFiles Files;
  SourceId File = Files.add(Name, std::move(Text));
  SuppressingComments Comments(File, Files);
  Lines Found;
  for (uint32_t Line = 1; Line <= Files.text(File).count('\n'); ++Line)
    if (Files.line(File, Line).contains(Word) && !Comments.suppresses(Check, Line).isValid())
      Found.push_back(Line);
  return Found;
}

// Which lines are reported was seen by running clang-tidy 22 with this check over this text.
TEST(Suppress, NoLintIsThatOfClangTidy) {
  EXPECT_EQ(reported("typedef int one; // NOLINT\n"
                     "typedef int two; // NOLINT(modernize-*, bugprone-other)\n"
                     "typedef int three; // NOLINT(bugprone-other)\n"
                     "typedef int four; // NOLINT(-modernize-*,modernize-use-using)\n"
                     "typedef int five; // NOLINT()\n"
                     "// NOLINTNEXTLINE(modernize-use-using)\n"
                     "typedef int six;\n"
                     "// NOLINTBEGIN(modernize-use-using)\n"
                     "typedef int seven;\n"
                     "// NOLINTEND(modernize-use-using)\n"
                     "typedef int eight; // NOLINT (modernize-x)\n"
                     "typedef int nine; // NOLINTFOO\n"
                     "// NOLINTNEXTLINE\n"
                     "\n"
                     "typedef int ten;\n"
                     "typedef int eleven; // NOLINT(-modernize-*)\n"
                     "typedef int twelve; const char *t = \"NOLINT\";\n"
                     "typedef int thirteen; // NOLINT(modernize-x) NOLINT(*-use-using)\n"
                     "// NOLINTBEGIN(modernize-use-using)\n"
                     "// NOLINTBEGIN\n"
                     "typedef int x1;\n"
                     "// NOLINTEND(modernize-use-using)\n"
                     "typedef int x2;\n"
                     "// NOLINTEND\n"
                     "typedef int x3;\n"
                     "// NOLINTBEGIN(modernize-*)\n"
                     "typedef int x4;\n"
                     "// NOLINTEND(modernize-use-using)\n",
                     "modernize-use-using", "typedef"),
            (Lines{3, 5, 12, 15, 16, 25, 27}));
}

TEST(Suppress, AllowIsAboutAWholeDeclaration) {
  EXPECT_EQ(reported("// opsig: allow(missing-kernel): a reason; with a semicolon\n"
                     "x(const char *Text = \"(;\", // a comment; (\n"
                     "  x[2], int n = 1'000,\n"
                     "  x = ')') {\n"
                     "  x;\n"
                     "}\n"
                     "/* opsig: allow(opsig-missing-*, kernel-signature) */\n"
                     "// Another comment.\n"
                     "x\n"
                     "x();\n"
                     "x(); // opsig: allow(missing-kernel)\n"
                     "x();\n"
                     "// opsig: allow(kernel-signature)\n"
                     "x();\n",
                     "opsig-missing-kernel", "x"),
            (Lines{5, 12, 14}));
}

TEST(Suppress, AllowInYaml) {
  EXPECT_EQ(reported("- x # opsig: allow(missing-kernel)\n"
                     "# opsig: allow(missing-kernel)\n"
                     "# And why.\n"
                     "- x\n"
                     "- x\n"
                     "- x // opsig: allow(missing-kernel)\n",
                     "opsig-missing-kernel", "x", "b.yaml"),
            (Lines{5, 6}));
}

TEST(Suppress, WhatIsNoComment) {
  EXPECT_EQ(reported("x = \"opsig: allow(missing-kernel)\";\n"
                     "x; // see opsig: allow(missing-kernel)\n"
                     "x; // opsig: allow\n"
                     "x; // opsig: allow(missing-kernel\n"
                     "x; // opsig: allow()\n",
                     "opsig-missing-kernel", "x"),
            (Lines{1, 2, 3, 4, 5}));
}

TEST(Suppress, Mistakes) {
  SourceFiles Files;
  SourceId File = Files.add("a.cpp", "// opsig: allow(kernel-signature, mising-kernel)\n"
                                     "// NOLINTBEGIN(opsig-*)\n"
                                     "// NOLINTBEGIN(bugprone-*)\n");
  Findings Diags;
  SuppressingComments(File, Files).reportMistakes(Diags);
  ASSERT_EQ(Diags.size(), 2u);
  Diags.sort(Files);
  EXPECT_EQ(Diags.all()[0].Id, finding::UnknownSuppression);
  EXPECT_EQ(Diags.all()[0].At, (Place{File, 1, 35, 13}));
  EXPECT_EQ(Diags.all()[0].Message, "unknown check 'opsig-mising-kernel'; did you mean "
                                    "'opsig-missing-kernel'?");
  EXPECT_EQ(Diags.all()[1].Id, finding::UnmatchedSuppression);
  EXPECT_EQ(Diags.all()[1].At, (Place{File, 2, 4, 20}));
}

} // namespace
