//===- CompareTest.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gtest/gtest.h"
#include "opsig/Signature/Compare.h"
#include "llvm/ADT/StringExtras.h"
#include <random>

using namespace opsig;

namespace {

/// A parameter by the first letter of its type and its name: 'T' tensor, 'S' scalar, 'I' int64_t,
/// 'B' bool, 'A' IntArrayRef.
struct Param {
  char Type;
  std::string Name;
};

CType typeOf(char Letter) {
  switch (Letter) {
  case 'T':
    return CType(CppBase::Tensor).constRef();
  case 'S':
    return CType(CppBase::Scalar).constRef();
  case 'I':
    return CppBase::Long;
  case 'A':
    return CppBase::IntArrayRef;
  default:
    return CppBase::Bool;
  }
}

/// "T self, I dim".
std::vector<Param> params(llvm::StringRef Text) {
  std::vector<Param> Result;
  llvm::SmallVector<llvm::StringRef> Pieces;
  Text.split(Pieces, ", ", -1, /*KeepEmpty=*/false);
  for (llvm::StringRef Piece : Pieces)
    Result.push_back({Piece[0], Piece.drop_front().trim().str()});
  return Result;
}

std::vector<Difference> differences(llvm::StringRef Want, llvm::StringRef Got,
                                    bool SameReturn = true) {
  Signature Expected;
  for (const Param &P : params(Want))
    Expected.Params.push_back({P.Name, {P.Name, false, typeOf(P.Type)}, std::nullopt, nullptr});
  std::vector<Param> Found = params(Got);
  auto SameType = [&](const CType &Ty, unsigned Index) {
    return Ty == typeOf(Found.at(Index).Type);
  };
  auto Return = [&](const ReturnCType &) { return SameReturn; };
  DeclaredSignature F;
  for (const Param &P : Found)
    F.ParamNames.push_back(P.Name);
  F.SameType = SameType;
  F.SameReturn = Return;
  return compare(Expected, F);
}

/// "type 1/2" (want 1, got 2), "missing 1/2", "extra 2", "moved 1/2", "return".
std::string compared(llvm::StringRef Want, llvm::StringRef Got, bool SameReturn = true) {
  std::vector<std::string> Texts;
  for (const Difference &D : differences(Want, Got, SameReturn)) {
    std::string Places = std::to_string(D.Want) + "/" + std::to_string(D.Got);
    switch (D.Is) {
    case Difference::ParamType:
      Texts.push_back("type " + Places);
      break;
    case Difference::ParamMissing:
      Texts.push_back("missing " + Places);
      break;
    case Difference::ParamExtra:
      Texts.push_back("extra " + std::to_string(D.Got));
      break;
    case Difference::ParamMoved:
      Texts.push_back("moved " + Places);
      break;
    case Difference::ReturnType:
      Texts.push_back("return");
      break;
    }
  }
  return llvm::join(Texts, ", ");
}

TEST(Compare, EqualOnes) {
  EXPECT_EQ(compared("", ""), "");
  EXPECT_EQ(compared("T self", "T self"), "");
  EXPECT_EQ(compared("T self, T other, S alpha", "T self, T other, S alpha"), "");
}

TEST(Compare, NamesDoNotMatterWhereTypesAgree) {
  EXPECT_EQ(compared("T self, T other", "T a, T b"), "");
  EXPECT_EQ(compared("I a, I b", "I b, I a"), "");
  EXPECT_EQ(compared("T self, I dim, B keepdim", "T, I, B"), "");
}

TEST(Compare, EqualOnesAreComparedPairByPair) {
  Signature Expected;
  for (unsigned I = 0; I < 20; ++I)
    Expected.Params.push_back({"x", {"x", false, CppBase::Long}, std::nullopt, nullptr});
  unsigned Asked = 0;
  auto SameType = [&](const CType &, unsigned) { return ++Asked != 0; };
  auto SameReturn = [](const ReturnCType &) { return true; };
  DeclaredSignature Got{std::vector<std::string>(20, "y"), SameType, SameReturn};
  EXPECT_TRUE(compare(Expected, Got).empty());
  EXPECT_EQ(Asked, 20u);
}

TEST(Compare, ReturnType) {
  EXPECT_EQ(compared("", "", /*SameReturn=*/false), "return");
  EXPECT_EQ(compared("T self, S alpha", "T self, B alpha", /*SameReturn=*/false),
            "return, type 1/1");
}

TEST(Compare, OneTypeDiffers) {
  EXPECT_EQ(compared("T self, T other, S alpha", "T self, T other, B alpha"), "type 2/2");
  EXPECT_EQ(compared("T self, S alpha, T other", "T self, B beta, T other"), "type 1/1");
  EXPECT_EQ(compared("T self, I dim", "S self, I dim"), "type 0/0");
  EXPECT_EQ(compared("T self, I dim, B keepdim", "T, B, B"), "type 1/1");
}

TEST(Compare, OneIsMissing) {
  EXPECT_EQ(compared("T self, I dim, B keepdim", "I dim, B keepdim"), "missing 0/0");
  EXPECT_EQ(compared("T self, I dim, B keepdim", "T self, B keepdim"), "missing 1/1");
  EXPECT_EQ(compared("T self, I dim, B keepdim", "T self, I dim"), "missing 2/2");
  EXPECT_EQ(compared("T self", ""), "missing 0/0");
}

TEST(Compare, TheNameTellsWhichOfEqualTypesIsMissing) {
  EXPECT_EQ(compared("I a, I b, I c", "I b, I c"), "missing 0/0");
  EXPECT_EQ(compared("I a, I b, I c", "I a, I c"), "missing 1/1");
  EXPECT_EQ(compared("I a, I b, I c", "I a, I b"), "missing 2/2");
}

TEST(Compare, SeveralAreMissing) {
  EXPECT_EQ(compared("T self, I dim, B keepdim", ""), "missing 0/0, missing 1/0, missing 2/0");
  EXPECT_EQ(compared("T self, I dim, B keepdim, S p", "I dim, S p"), "missing 0/0, missing 2/1");
}

TEST(Compare, OneIsExtra) {
  EXPECT_EQ(compared("", "T self"), "extra 0");
  EXPECT_EQ(compared("T self, I dim", "S scale, T self, I dim"), "extra 0");
  EXPECT_EQ(compared("T self, I dim", "T self, S scale, I dim"), "extra 1");
  EXPECT_EQ(compared("T self, I dim", "T self, I dim, S scale"), "extra 2");
}

TEST(Compare, SwappedOnesAreOneMove) {
  EXPECT_EQ(compared("T self, I dim, B keepdim", "T self, B keepdim, I dim"), "moved 1/2");
  EXPECT_EQ(compared("T self, I dim", "I dim, T self"), "moved 0/1");
}

TEST(Compare, MovedFarAway) {
  EXPECT_EQ(compared("T self, I dim, B keepdim, S p", "I dim, B keepdim, S p, T self"),
            "moved 0/3");
  EXPECT_EQ(compared("T self, I dim, B keepdim, S p", "S p, T self, I dim, B keepdim"),
            "moved 3/0");
  // Both ends change places around a parameter that stays.
  EXPECT_EQ(compared("T self, I dim, B keepdim", "B keepdim, I dim, T self"),
            "moved 2/0, moved 0/2");
}

TEST(Compare, WithoutANameTheTypeTellsWhatMoved) {
  EXPECT_EQ(compared("T self, I n, B flag", "B, T, I"), "moved 2/0");
  // Two neighbours: each is in the other's place.
  EXPECT_EQ(compared("T self, I n, B flag", "I, T, B"), "moved 1/0, moved 0/1");
}

TEST(Compare, OfOneTypeButAnotherNameIsNotMoved) {
  EXPECT_EQ(compared("T self, I dim", "I axis, T self"), "extra 0, missing 1/2");
}

TEST(Compare, SeveralFaultsAtOnce) {
  // A wrong type, a missing parameter and an extra one.
  EXPECT_EQ(compared("T self, S alpha, I dim, B keepdim", "T self, B alpha, B keepdim, A size"),
            "type 1/1, missing 2/2, extra 3");
  EXPECT_EQ(compared("T self, T weight, A stride, A padding, I groups",
                     "T self, A stride, A padding, B groups, S scale"),
            "missing 1/1, type 4/3, extra 4");
}

TEST(Compare, AllDifferent) {
  EXPECT_EQ(compared("T self, S alpha", "B x, I y"), "type 0/0, type 1/1");
  EXPECT_EQ(compared("T self, S alpha", "B x"), "type 0/0, missing 1/1");
}

/// The types of the found parameters after every difference was mended; "?" where the differences
/// contradict each other.
std::string mended(const std::vector<Param> &Want, const std::vector<Param> &Got,
                   llvm::ArrayRef<Difference> Differences) {
  std::string Result(Want.size(), ' ');
  std::vector<bool> Kept(Got.size(), true);
  std::vector<std::optional<unsigned>> TypeFor(Got.size());
  for (const Difference &D : Differences) {
    if (D.Is == Difference::ParamExtra || D.Is == Difference::ParamMoved) {
      if (!Kept.at(D.Got))
        return "?";
      Kept[D.Got] = false;
    }
    if (D.Is == Difference::ParamMissing)
      Result.at(D.Want) = Want[D.Want].Type;
    if (D.Is == Difference::ParamMoved)
      Result.at(D.Want) = Got[D.Got].Type;
    if (D.Is == Difference::ParamType)
      TypeFor.at(D.Got) = D.Want;
  }
  size_t Slot = 0;
  for (size_t G = 0; G < Got.size(); ++G) {
    if (!Kept[G])
      continue;
    Slot = Result.find(' ', Slot);
    if (Slot == std::string::npos || (TypeFor[G] && *TypeFor[G] != Slot))
      return "?";
    Result[Slot] = TypeFor[G] ? Want[Slot].Type : Got[G].Type;
  }
  return Result;
}

TEST(Compare, MendingEveryDifferenceGivesWhatIsWanted) {
  std::minstd_rand Random(1);
  auto Below = [&](unsigned N) { return unsigned(Random() % N); };
  auto AnyParam = [&] { return Param{"TSIAB"[Below(5)], std::string(1, "abcdefg"[Below(7)])}; };
  auto TextOf = [](const std::vector<Param> &Params) {
    std::string Text;
    for (const Param &P : Params)
      Text += (Text.empty() ? "" : ", ") + std::string(1, P.Type) + " " + P.Name;
    return Text;
  };
  for (unsigned Round = 0; Round < 2000; ++Round) {
    std::vector<Param> Want, Got;
    for (unsigned N = Below(6); N > 0; --N)
      Want.push_back(AnyParam());
    Got = Want;
    for (unsigned Edits = Below(4); Edits > 0; --Edits) {
      if (Got.empty() || Below(3) == 0)
        Got.insert(Got.begin() + Below(Got.size() + 1), AnyParam());
      else if (Below(2) == 0)
        Got.erase(Got.begin() + Below(Got.size()));
      else
        std::swap(Got[Below(Got.size())], Got[Below(Got.size())]);
    }
    std::string Expected;
    for (const Param &P : Want)
      Expected += P.Type;
    std::string WantText = TextOf(Want), GotText = TextOf(Got);
    EXPECT_EQ(mended(Want, Got, differences(WantText, GotText)), Expected)
        << WantText << " | " << GotText << " | " << compared(WantText, GotText);
  }
}

TEST(Compare, DistanceGrowsWithTheDifferences) {
  EXPECT_EQ(distance(differences("T self, I dim", "T self, I dim")), 0u);
  unsigned Type = distance(differences("T self, I dim", "T self, B dim"));
  unsigned Missing = distance(differences("T self, I dim", "T self"));
  unsigned Both = distance(differences("T self, I dim, S p", "T self, B dim"));
  EXPECT_GT(Type, 0u);
  EXPECT_GT(Missing, Type);
  EXPECT_EQ(Both, Type + Missing);
}

} // namespace
