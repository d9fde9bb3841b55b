//===- ProofTest.cpp - What edits did besides -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gtest/gtest.h"
#include "opsig/Edit/Proof.h"
#include "opsig/Support/FindingIds.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace opsig;
using clang::tooling::Replacement;
using clang::tooling::Replacements;

namespace {

Replacements edits(std::initializer_list<Replacement> All) {
  Replacements Out;
  for (const Replacement &R : All)
    llvm::cantFail(Out.add(R));
  return Out;
}

// "f(int a, float b)" => "f(int64_t a, double b)"
const EditMap Retyped{edits({{"f", 2, 3, "int64_t"}, {"f", 9, 5, "double"}})};

TEST(EditMap, PlacesMoveWithWhatIsBeforeThem) {
  EXPECT_EQ(Retyped.after(0), 0u);
  EXPECT_EQ(Retyped.after(2), 2u) << "where a type begins the other one does";
  EXPECT_EQ(Retyped.after(6), 10u) << "a";
  EXPECT_EQ(Retyped.after(15), 20u) << "b";
}

TEST(EditMap, PlacesComeBack) {
  for (uint32_t Kept : {0u, 1u, 5u, 6u, 8u, 14u, 15u, 40u})
    EXPECT_EQ(Retyped.before(Retyped.after(Kept)), Kept);
  EXPECT_EQ(Retyped.before(5), 2u) << "within a new word";
}

TEST(EditMap, InsertionsPushWhatStandsBehindThem) {
  EditMap Inserted(edits({{"f", 4, 0, "int n, "}}));
  EXPECT_EQ(Inserted.after(3), 3u);
  EXPECT_EQ(Inserted.after(4), 11u);
  EXPECT_EQ(Inserted.before(11), 4u);
  EXPECT_EQ(Inserted.before(6), 4u);
}

const llvm::sys::fs::UniqueID F(1, 1), G(1, 2);

ClangMessage error(unsigned Id, llvm::sys::fs::UniqueID File, uint32_t Offset) {
  ClangMessage M;
  M.Id = Id;
  M.At = {File, Offset};
  return M;
}

TEST(NewErrors, TheSameIdAtTheShiftedPlaceIsOld) {
  EditMaps Maps = {{F, Retyped}};
  std::vector<ClangMessage> Before = {error(7, F, 20), error(7, G, 20)};
  std::vector<ClangMessage> After = {error(7, F, 25), error(7, G, 20)};
  EXPECT_TRUE(newErrors(Before, After, Maps).empty());
  EXPECT_EQ(newErrors(Before, {error(8, F, 25)}, Maps), std::vector<size_t>{0});
  EXPECT_EQ(newErrors(Before, {error(7, F, 20)}, Maps), std::vector<size_t>{0});
}

TEST(NewErrors, EachOldOneCountsOnce) {
  EXPECT_EQ(newErrors({error(7, F, 3)}, {error(7, F, 3), error(7, F, 3)}, {}),
            std::vector<size_t>{1});
}

class Compared : public testing::Test {
protected:
  SourceFiles Files;
  SourceId File = Files.add("/nowhere/f.cpp", "f(int a, float b)\ng(int a)\n");

  Finding finding(FindingId Id, uint32_t Column, std::string Message) {
    return {Id, Level::Error, {File, 1, Column, 1}, std::move(Message), "", "", {}, {}};
  }
  FindingChanges compare(std::vector<Finding> Before, std::vector<Finding> After,
                         std::vector<size_t> Fixed) {
    FileIdentities Identities;
    return compareFindings({Before, Files}, {After, Files}, Fixed, {}, Identities);
  }
};

TEST_F(Compared, WhatIsGoneIsMended) {
  FindingChanges C = compare(
      {finding(finding::KernelSignature, 3, "a"), finding(finding::KernelSignature, 10, "b")},
      {finding(finding::KernelSignature, 10, "b")}, {0});
  EXPECT_TRUE(C.Left.empty());
  EXPECT_TRUE(C.New.empty());
}

TEST_F(Compared, OtherWordsAtTheSamePlaceAreTheSameFinding) {
  FindingChanges C = compare({finding(finding::KernelSignature, 3, "is int")},
                             {finding(finding::KernelSignature, 3, "is float")}, {0});
  EXPECT_EQ(C.Left, std::vector<size_t>{0});
  EXPECT_TRUE(C.New.empty());
}

TEST_F(Compared, WhatNobodyMeantToMendMayStay) {
  FindingChanges C = compare(
      {finding(finding::KernelSignature, 3, "one"), finding(finding::KernelSignature, 3, "two")},
      {finding(finding::KernelSignature, 3, "two")}, {0});
  EXPECT_TRUE(C.Left.empty());
  EXPECT_TRUE(C.New.empty());
}

TEST_F(Compared, AnotherFindingIsNewUnlessItIsAboutABody) {
  FindingChanges C = compare(
      {finding(finding::KernelSignature, 3, "a")},
      {finding(finding::KernelDefault, 3, "a"), finding(finding::MutationUnmarked, 3, "written")},
      {0});
  EXPECT_TRUE(C.Left.empty());
  EXPECT_EQ(C.New, std::vector<size_t>{0});
}

TEST(EditGroups, WhoWantsTheSameEditBelongsTogether) {
  Finding A{finding::KernelSignature, Level::Error, {}, "", "", "", {}, {}}, B = A, C = A, D = A;
  Fix One{SourceId(1), 3, 2, "x"}, Two{SourceId(1), 9, 0, "y"}, Three{SourceId(2), 9, 0, "y"};
  A.Fixes = {One};
  B.Fixes = {Three};
  C.Fixes = {Two};
  D.Fixes = {Two, One};
  EXPECT_EQ(editGroups({A, B, C, D}), (std::vector<size_t>{0, 1, 0, 0}));
}

/// Two files on disk, of four lines each, and an edit at the begin of the second line of both.
class Blamed : public testing::Test {
protected:
  static constexpr llvm::StringLiteral Text = "one\ntwo\nthree\nfour\n";

  std::string write() {
    llvm::SmallString<128> Path;
    int Descriptor = -1;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("opsig-blame", "cpp", Descriptor, Path));
    llvm::raw_fd_ostream(Descriptor, /*shouldClose=*/true) << Text;
    return Path.str().str();
  }
  ~Blamed() override {
    for (const std::string &Path : Paths)
      llvm::sys::fs::remove(Path);
  }

  CodePoint point(size_t File, uint32_t Offset) { return {*Identities.of(Paths[File]), Offset}; }
  std::vector<size_t> blame(const CodePoint &At) {
    std::vector<Finding> Edits;
    for (size_t I : {0, 1}) {
      Edits.emplace_back();
      Edits.back().Fixes = {{Files.add(Paths[I], Text.str()), 4, 0, "new\n"}};
    }
    return EditSites({Edits, Files}, {}, Identities).blame({At}, "", {}, {0, 1});
  }

  std::vector<std::string> Paths = {write(), write(), write()};
  SourceFiles Files;
  FileIdentities Identities;
};

TEST_F(Blamed, WhoseLineItIs) { EXPECT_EQ(blame(point(0, 5)), std::vector<size_t>{0}); }

TEST_F(Blamed, ElseTheEditsOfTheFile) { EXPECT_EQ(blame(point(1, 14)), std::vector<size_t>{1}); }

TEST_F(Blamed, ElseAll) { EXPECT_EQ(blame(point(2, 5)), (std::vector<size_t>{0, 1})); }

TEST(NamesInLine, WordsOfOneLine) {
  EXPECT_EQ(namesInLine("before\n  f(a_1, &K::b);\nafter", 10),
            (std::set<std::string>{"f", "a_1", "K", "b"}));
}

} // namespace
