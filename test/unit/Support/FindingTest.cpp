//===- FindingTest.cpp - Collecting and printing diagnostics -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Support/Finding.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace opsig;

namespace {

class FindingTest : public ::testing::Test {
protected:
  std::string text(const Finding &D, PrintOptions Options = {}) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    OS.enable_colors(true);
    printText(OS, D, Files, Options);
    return Text;
  }
  std::string json(const Finding &D) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    printJson(OS, D, Files);
    return Text;
  }
  const Finding &only() {
    EXPECT_EQ(Diags.size(), 1u);
    return Diags.all().front();
  }

  SourceFiles Files;
  Findings Diags;
  SourceId File = Files.add("f.yaml", "- func: f(Tensr self)\n\tvariants: x\n\n");
};

TEST(DiagnosticIds, AreUniqueAndNamed) {
  std::set<std::string> Names;
#define OPSIG_FINDING(Name, Id, Severity)                                                          \
  EXPECT_TRUE(Names.insert(findingName(finding::Name).str()).second) << Id;                        \
  EXPECT_EQ(findingName(finding::Name), Id);                                                       \
  EXPECT_EQ(findingLevel(finding::Name), Level::Severity);
#include "opsig/Support/Findings.def"
}

TEST(DiagnosticIds, AreInOneGroupEach) {
  std::vector<FindingId> InGroups, All;
  for (const FindingGroup &Group : findingGroups()) {
    EXPECT_FALSE(Group.Title.empty());
    EXPECT_FALSE(Group.Commands.empty());
    EXPECT_FALSE(Group.Ids.empty()) << Group.Title.str();
    InGroups.insert(InGroups.end(), Group.Ids.begin(), Group.Ids.end());
  }
#define OPSIG_FINDING(Name, Id, Severity) All.push_back(finding::Name);
#include "opsig/Support/Findings.def"
  EXPECT_EQ(InGroups, All);
}

TEST(DiagnosticIds, AreFoundByName) {
  EXPECT_EQ(findFindingId("kernel-signature"), finding::KernelSignature);
  EXPECT_EQ(findFindingId("opsig-kernel-signature"), std::nullopt);
  EXPECT_EQ(findFindingId(""), std::nullopt);
  EXPECT_TRUE(isFixable(finding::KernelSignature));
  EXPECT_FALSE(isFixable(finding::YamlSyntax));
}

TEST_F(FindingTest, Text) {
  Diags.report(finding::TypeUnknown, {File, 1, 11, 5}, "unknown type '{0}'", "Tensr");
  EXPECT_EQ(text(only()), "f.yaml:1:11: error: unknown type 'Tensr' [opsig-type-unknown]\n"
                          "    1 | - func: f(Tensr self)\n"
                          "      |           ^~~~~\n");
}

TEST_F(FindingTest, HintAndNotes) {
  Finding &D = Diags.report(finding::TypeUnknown, {File, 1, 11, 5}, "unknown type");
  D.Hint = "Tensor";
  D.note({File, 2, 2, 0}, "because of this").note({}, "and of nothing in a file");
  EXPECT_EQ(text(D), "f.yaml:1:11: error: unknown type [opsig-type-unknown]\n"
                     "    1 | - func: f(Tensr self)\n"
                     "      |           ^~~~~\n"
                     "      |           use 'Tensor'\n"
                     "f.yaml:2:2: note: because of this\n"
                     "note: and of nothing in a file\n");
}

TEST_F(FindingTest, TabsAreOneBlankWide) {
  Diags.report(finding::UnknownField, {File, 2, 2, 8}, "no such field");
  EXPECT_EQ(text(only()), "f.yaml:2:2: error: no such field [opsig-unknown-field]\n"
                          "    2 |  variants: x\n"
                          "      |  ^~~~~~~~\n");
}

TEST_F(FindingTest, PointsAndEnds) {
  // A point, a length beyond the line, a column behind it.
  Diags.report(finding::UnknownField, {File, 1, 1, 0}, "a");
  Diags.report(finding::UnknownField, {File, 1, 17, 100}, "b");
  Diags.report(finding::UnknownField, {File, 1, 22, 3}, "c");
  EXPECT_EQ(text(Diags.all()[0]), "f.yaml:1:1: error: a [opsig-unknown-field]\n"
                                  "    1 | - func: f(Tensr self)\n"
                                  "      | ^\n");
  EXPECT_EQ(text(Diags.all()[1]), "f.yaml:1:17: error: b [opsig-unknown-field]\n"
                                  "    1 | - func: f(Tensr self)\n"
                                  "      |                 ^~~~~\n");
  EXPECT_EQ(text(Diags.all()[2]), "f.yaml:1:22: error: c [opsig-unknown-field]\n"
                                  "    1 | - func: f(Tensr self)\n"
                                  "      |                      ^\n");
}

TEST_F(FindingTest, WithoutALine) {
  Diags.report(finding::YamlSyntax, {File, 3, 1, 0}, "an empty line");
  Diags.report(finding::YamlSyntax, {File, 9, 1, 0}, "no such line");
  Diags.report(finding::YamlSyntax, {File, 0, 0, 0}, "the whole file");
  Diags.report(finding::YamlSyntax, {}, "nowhere");
  EXPECT_EQ(text(Diags.all()[0]), "f.yaml:3:1: error: an empty line [opsig-yaml-syntax]\n");
  EXPECT_EQ(text(Diags.all()[1]), "f.yaml:9:1: error: no such line [opsig-yaml-syntax]\n");
  EXPECT_EQ(text(Diags.all()[2]), "f.yaml: error: the whole file [opsig-yaml-syntax]\n");
  EXPECT_EQ(text(Diags.all()[3]), "error: nowhere [opsig-yaml-syntax]\n");
}

TEST_F(FindingTest, LineNumbersAreAligned) {
  std::string Lines;
  for (int I = 1; I <= 12345; ++I)
    Lines += "line\n";
  SourceId Long = Files.add("long.yaml", Lines);
  Diags.report(finding::UnknownField, {Long, 12345, 2, 2}, "far down");
  EXPECT_EQ(text(only()), "long.yaml:12345:2: error: far down [opsig-unknown-field]\n"
                          " 12345 | line\n"
                          "       |  ^~\n");
}

TEST_F(FindingTest, LongLinesAreCutAroundTheirCaret) {
  std::string Schema;
  for (int I = 100; I < 200; ++I)
    Schema += "Tensor x" + std::to_string(I) + ", ";
  SourceId Long = Files.add("long.yaml", Schema);
  uint32_t Middle = Schema.find("x150");
  Diags.report(finding::UnknownField, {Long, 1, Middle + 1, 4}, "a").Hint = Schema;
  Diags.report(finding::UnknownField, {Long, 1, 1, uint32_t(Schema.size())}, "b");
  llvm::SmallVector<llvm::StringRef> Lines, First;
  std::string Text = text(Diags.all()[0]), OfAll = text(Diags.all()[1]);
  llvm::StringRef(Text).split(Lines, '\n');
  EXPECT_EQ(Lines[1].substr(8, 3), "...");
  EXPECT_TRUE(Lines[1].ends_with("..."));
  size_t Caret = Lines[2].find('^');
  EXPECT_EQ(Lines[1].substr(Caret, 4), "x150");
  EXPECT_EQ(Lines[2].substr(Caret), "^~~~");
  for (llvm::StringRef Line : Lines)
    EXPECT_LT(Line.size(), 340u);
  llvm::StringRef(OfAll).split(First, '\n');
  EXPECT_TRUE(First[1].ends_with("..."));
  EXPECT_EQ(First[1].size(), First[2].size());
}

TEST_F(FindingTest, Warnings) {
  Diags.report(finding::UnknownKernel, {File, 1, 1, 0}, "nothing calls this");
  EXPECT_FALSE(Diags.hasErrors());
  EXPECT_TRUE(llvm::StringRef(text(only())).starts_with("f.yaml:1:1: warning: nothing calls this"));
  Diags.report(finding::UnknownField, {}, "x");
  EXPECT_TRUE(Diags.hasErrors());
}

TEST_F(FindingTest, ColorsOnlyWhenAsked) {
  Diags.report(finding::UnknownField, {File, 1, 1, 0}, "a").Hint = "b";
  EXPECT_EQ(text(only()).find('\x1b'), std::string::npos);
  std::string Colored = text(only(), {/*Colors=*/true});
  EXPECT_NE(Colored.find("\x1b[0;1;31merror: \x1b[0m"), std::string::npos) << Colored;
  EXPECT_NE(Colored.find("\x1b[0;1;32m^\n\x1b[0m"), std::string::npos) << Colored;
}

TEST_F(FindingTest, JsonReadsBack) {
  SourceId Source = Files.add("dir/k.cpp", "int x;");
  Finding &D = Diags.report(finding::KernelSignature, {Source, 1, 5, 1}, "\"x\"\n\t{0}", "\\");
  D.op("add.out").note({File, 1, 9, 3}, "here");
  D.Fixes.push_back({Source, 4, 1, "y\n"});
  std::string Text = json(D);
  EXPECT_EQ(llvm::StringRef(Text).count('\n'), 1u);

  llvm::Expected<llvm::json::Value> Value = llvm::json::parse(Text);
  ASSERT_TRUE(static_cast<bool>(Value));
  const llvm::json::Object &Root = *Value->getAsObject();
  EXPECT_EQ(Root.getString("id"), "opsig-kernel-signature");
  EXPECT_EQ(Root.getString("level"), "error");
  EXPECT_EQ(Root.getString("file"), "dir/k.cpp");
  EXPECT_EQ(Root.getInteger("line"), 1);
  EXPECT_EQ(Root.getInteger("column"), 5);
  EXPECT_EQ(Root.getString("message"), "\"x\"\n\t\\");
  EXPECT_EQ(Root.getString("op"), "add.out");
  EXPECT_EQ(Root.getString("operator"), "aten::add.out");
  const llvm::json::Object &Note = *(*Root.getArray("notes"))[0].getAsObject();
  EXPECT_EQ(Note.getString("file"), "f.yaml");
  EXPECT_EQ(Note.getInteger("column"), 9);
  EXPECT_EQ(Note.getString("message"), "here");
  const llvm::json::Object &Edit = *(*Root.getArray("fixes"))[0].getAsObject();
  EXPECT_EQ(Edit.getString("file"), "dir/k.cpp");
  EXPECT_EQ(Edit.getInteger("offset"), 4);
  EXPECT_EQ(Edit.getInteger("length"), 1);
  EXPECT_EQ(Edit.getString("text"), "y\n");
}

TEST_F(FindingTest, JsonOfNowhere) {
  Diags.report(finding::UnknownKernel, {}, "x");
  EXPECT_EQ(json(only()),
            R"({"column":0,"file":"","fixes":[],"id":"opsig-unknown-kernel","level":"warning",)"
            R"("line":0,"message":"x","notes":[],"op":"","operator":""})"
            "\n");
}

TEST_F(FindingTest, JsonOfBytesThatAreNotUtf8) {
  Diags.report(finding::UnknownField, {File, 1, 1, 0}, "'{0}'", "\xff\xc3");
  llvm::Expected<llvm::json::Value> Value = llvm::json::parse(json(only()));
  ASSERT_TRUE(static_cast<bool>(Value)) << llvm::toString(Value.takeError());
}

TEST_F(FindingTest, SortedByPlace) {
  SourceId Other = Files.add("a.yaml", "x\n");
  Diags.report(finding::UnknownField, {File, 2, 1, 0}, "5");
  Diags.report(finding::UnknownField, {File, 1, 9, 0}, "3");
  Diags.report(finding::MissingFunc, {File, 1, 9, 0}, "4");
  Diags.report(finding::UnknownField, {File, 1, 2, 0}, "2");
  Diags.report(finding::UnknownField, {Other, 7, 1, 0}, "1");
  Diags.report(finding::UnknownField, {}, "0");
  Diags.sort(Files);
  std::string Order;
  for (const Finding &D : Diags.all())
    Order += D.Message;
  EXPECT_EQ(Order, "012345");
}

TEST_F(FindingTest, RepeatsAreDropped) {
  for (int I = 0; I != 2; ++I) {
    Diags.report(finding::UnknownField, {File, 1, 2, 0}, "same");
    Diags.report(finding::UnknownField, {File, 1, 2, 0}, "other");
    Diags.report(finding::MissingFunc, {File, 1, 2, 0}, "same");
    Diags.report(finding::UnknownField, {File, 1, 3, 0}, "same");
  }
  Diags.sort(Files);
  EXPECT_EQ(Diags.size(), 4u);
}

TEST(Nearest, Names) {
  std::vector<llvm::StringRef> Names = {"CPU", "CUDA", "SparseCPU", "Meta", "add.out", "add_.out"};
  EXPECT_EQ(nearest("CPu", Names), "CPU");
  EXPECT_EQ(nearest("cuda", Names), "CUDA");
  EXPECT_EQ(nearest("SprseCPU", Names), "SparseCPU");
  EXPECT_EQ(nearest("Meat", Names), "Meta");
  EXPECT_EQ(nearest("add.otu", Names), "add.out");
  EXPECT_EQ(nearest("CPU", {"CPU"}), std::nullopt);
  EXPECT_EQ(nearest("XLA", Names), std::nullopt);
  EXPECT_EQ(nearest("", Names), std::nullopt);
  EXPECT_EQ(nearest("x", {}), std::nullopt);
  EXPECT_EQ(nearest("multiply", Names), std::nullopt);
}

TEST(Nearest, TwoLettersInTheOtherOrder) {
  EXPECT_EQ(nearest("asb", {"abs"}), "abs");
  EXPECT_EQ(nearest("ab", {"ba"}), "ba");
  EXPECT_EQ(nearest("abc", {"cba"}), std::nullopt);
}

TEST(Nearest, AsAQuestion) {
  EXPECT_EQ(didYouMean("Tensr", {"Tensor"}), "; did you mean 'Tensor'?");
  EXPECT_EQ(didYouMean("Tensr", {"Scalar"}), "");
}

} // namespace
