//===- VerifiedEditsTest.cpp - The loop, with a reader that knows one word ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gtest/gtest.h"
#include "opsig/Edit/VerifiedEdits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace opsig;

namespace {

/// Words of one file are replaced. The reader has an error wherever a text says "bad"; an error
/// where the word before is "needs" too, unless the text begins with "include".
class Words : public EditPolicy {
public:
  struct Edit {
    std::string From, To;
  };

  Words(std::string Text, std::vector<Edit> Edits) : Before(std::move(Text)), Edits(Edits) {
    llvm::SmallString<128> Path;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("words", "txt", Path));
    Name = Path.str().str();
    Id = *Identities.of(Name);
  }
  ~Words() override { llvm::sys::fs::remove(Name); }

  std::string verified() {
    llvm::Expected<EditedTexts> Texts = verifyEdits(*this, Identities);
    if (!Texts)
      return "error: " + llvm::toString(Texts.takeError());
    return Texts->files().empty() ? Before : Texts->files().front().Now;
  }

  unsigned maxRounds() const override { return Rounds; }

  llvm::Expected<EditProposal> propose() override {
    ++Proposed;
    if (FailsToPropose)
      return llvm::createStringError("cannot propose");
    EditProposal Out;
    clang::tooling::Replacements Changes;
    if (Includes)
      llvm::cantFail(Changes.add({Name, 0, 0, "include "}));
    for (size_t I = 0; I < Edits.size(); ++I)
      if (size_t At = Before.find(Edits[I].From); At != std::string::npos && !Banned.count(I))
        llvm::cantFail(
            Changes.add({Name, unsigned(At), unsigned(Edits[I].From.size()), Edits[I].To}));
    if (Changes.empty()) {
      Out.Kind = EditProposal::Nothing;
    } else {
      std::string Now = llvm::cantFail(clang::tooling::applyAllReplacements(Before, Changes));
      Out.Files.push_back({Name, Before, Now, Changes});
    }
    return Out;
  }

  llvm::Expected<std::vector<SourceErrors>> read(const EditedTexts &Texts) override {
    ++Read;
    Old = errors(Before);
    New = errors(Texts.files().front().Now);
    return std::vector<SourceErrors>{{Old, New, IsLost && Banned.size() < Edits.size()}};
  }

  void blame(const NewError &Error, Verdict &Out) override {
    if (Error.Error.Id == MissingInclude && CanInclude) {
      Includes = Out.IsRepaired = true;
      return;
    }
    for (size_t I = 0; I < Edits.size(); ++I)
      if (!Banned.count(I) && Error.Points.front().Offset == Before.find(Edits[I].From))
        Out.Regressions.push_back({{I}, Error.Error.Text, Name, Error.Points.front().Offset});
  }

  void blameForLoss(size_t Source, Verdict &Out) override {
    EXPECT_EQ(Source, 0u);
    for (size_t I = 0; I < Edits.size(); ++I)
      Out.Regressions.push_back({{I}, "lost"});
  }

  void blameForFindings(const EditedTexts &Texts, Verdict &Out) override {
    ++AskedForFindings;
    for (size_t I = 0; I < Edits.size(); ++I)
      if (!Banned.count(I) && Edits[I].To == "worse")
        Out.Regressions.push_back({{I}, "worse"});
  }

  void ban(llvm::ArrayRef<Regression> Regressions) override {
    for (const Regression &R : Regressions)
      for (size_t Edit : R.Edits) {
        Banned.insert(Edit);
        Why.insert(R.Why);
      }
  }

  llvm::Error exhausted(Verdict &Out) override {
    if (FailsWhenExhausted)
      return llvm::createStringError("no end");
    for (size_t I = 0; I < Edits.size(); ++I)
      Out.Regressions.push_back({{I}, "others"});
    return llvm::Error::success();
  }

  enum : unsigned { BadWord = 1, MissingInclude = 2 };
  std::string Before, Name;
  std::vector<Edit> Edits;
  llvm::sys::fs::UniqueID Id;
  FileIdentities Identities;
  unsigned Rounds = 5, Proposed = 0, Read = 0, AskedForFindings = 0;
  bool FailsToPropose = false, FailsWhenExhausted = false, IsLost = false, CanInclude = false,
       Includes = false;
  std::set<size_t> Banned;
  std::set<std::string> Why;

private:
  std::vector<ClangMessage> errors(const std::string &Text) {
    std::vector<ClangMessage> Out;
    auto Find = [&](llvm::StringRef Word, unsigned Kind) {
      for (size_t At = Text.find(Word); At != std::string::npos; At = Text.find(Word, At + 1)) {
        ClangMessage &M = Out.emplace_back();
        M.Id = Kind;
        M.At = {Id, uint32_t(At)};
        M.Path = Name;
        M.Text = Word.str() + "!";
      }
    };
    Find("bad", BadWord);
    if (!llvm::StringRef(Text).starts_with("include"))
      Find("needs", MissingInclude);
    return Out;
  }

  std::vector<ClangMessage> Old, New;
};

TEST(VerifiedEdits, GoodEditsAreReadOnce) {
  Words W("a b c", {{"a", "one"}, {"c", "three"}});
  EXPECT_EQ(W.verified(), "one b three");
  EXPECT_EQ(W.Read, 1u);
  EXPECT_EQ(W.AskedForFindings, 1u);
}

TEST(VerifiedEdits, WithoutEditsNothingIsRead) {
  Words W("a b c", {{"x", "one"}});
  EXPECT_EQ(W.verified(), "a b c");
  EXPECT_EQ(W.Read, 0u);
}

TEST(VerifiedEdits, TheGuiltyEditGoesAndTheOthersStay) {
  Words W("a b c", {{"a", "longer"}, {"b", "bad"}, {"c", "three"}});
  EXPECT_EQ(W.verified(), "longer b three");
  EXPECT_EQ(W.Banned, std::set<size_t>{1});
  EXPECT_EQ(W.Why, std::set<std::string>{"bad!"});
  EXPECT_EQ(W.AskedForFindings, 1u) << "errors come first";
}

TEST(VerifiedEdits, AnErrorThatWasThereIsNobodysFault) {
  Words W("a bad c", {{"a", "longer"}, {"c", "three"}});
  EXPECT_EQ(W.verified(), "longer bad three");
  EXPECT_EQ(W.Read, 1u);
}

TEST(VerifiedEdits, FindingsCountWhereClangIsContent) {
  Words W("a b c", {{"a", "one"}, {"b", "worse"}});
  EXPECT_EQ(W.verified(), "one b c");
  EXPECT_EQ(W.AskedForFindings, 2u);
}

TEST(VerifiedEdits, ARepairIsTriedBeforeAnythingIsBanned) {
  Words W("a b", {{"a", "needs"}, {"b", "bad"}});
  W.CanInclude = true;
  EXPECT_EQ(W.verified(), "include needs b");
  EXPECT_EQ(W.Banned, std::set<size_t>{1});
  EXPECT_EQ(W.Read, 3u) << "once with both errors, once with the include, once without the edit";
}

TEST(VerifiedEdits, ALostSourceIsJudgedAsAWhole) {
  Words W("a b", {{"a", "one"}, {"b", "two"}});
  W.IsLost = true;
  EXPECT_EQ(W.verified(), "a b");
  EXPECT_EQ(W.Why, std::set<std::string>{"lost"});
}

TEST(VerifiedEdits, TheLastRoundEndsByThePolicysWill) {
  Words W("a b", {{"a", "one"}, {"b", "bad"}});
  W.Rounds = 1;
  EXPECT_EQ(W.verified(), "a b");
  EXPECT_TRUE(W.Why.count("others"));

  Words Failing("a b", {{"a", "one"}, {"b", "bad"}});
  Failing.Rounds = 1;
  Failing.FailsWhenExhausted = true;
  EXPECT_EQ(Failing.verified(), "error: no end");
}

TEST(VerifiedEdits, FailuresOfThePolicyComeOut) {
  Words W("a", {{"a", "one"}});
  W.FailsToPropose = true;
  EXPECT_EQ(W.verified(), "error: cannot propose");
}

TEST(EditedTexts, PlacesGoBackThroughTheEditsOfTheirFile) {
  Words W("a b c", {});
  clang::tooling::Replacements Changes;
  llvm::cantFail(Changes.add({W.Name, 0, 1, "longer"}));
  EditedTexts Texts({{W.Name, "a b c", "longer b c", Changes}}, W.Identities);
  EXPECT_EQ(Texts.original({W.Id, 7}).Offset, 2u);
  EXPECT_EQ(Texts.original({llvm::sys::fs::UniqueID(1, 1), 7}).Offset, 7u);
  ASSERT_EQ(Texts.buffers().size(), 1u);
  EXPECT_EQ(Texts.buffers().front().Text, "longer b c");
}

} // namespace
