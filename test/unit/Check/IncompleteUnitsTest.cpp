//===- IncompleteUnitsTest.cpp - why files were read in part only ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Check/IncompleteUnits.h"
#include "opsig/Check/Check.h"
#include "opsig/Frontend/FlagErrors.h"

#include "gtest/gtest.h"

using namespace opsig;

namespace {

constexpr llvm::StringLiteral NoSuch = "unknown argument: '-fnosuch'";
constexpr llvm::StringLiteral Standard = "invalid value 'c++99' in '-std=c++99'";

UnitFacts unit(std::string File, unsigned NumErrors, std::vector<std::string> Errors) {
  UnitFacts Unit;
  Unit.MainFile = std::move(File);
  Unit.Parsed = true;
  Unit.NumErrors = NumErrors;
  for (const std::string &Error : Errors)
    Unit.FirstError = joinFirstErrors(Unit.FirstError, Error);
  return Unit;
}

IncompleteUnits allOf(llvm::ArrayRef<UnitFacts> Units) {
  return incompleteUnits(Units, [](llvm::StringRef) { return false; });
}

TEST(IncompleteUnits, CountAFlagOnceForEachFile) {
  std::vector<UnitFacts> Units{unit("a.cpp", 3, {NoSuch.str(), Standard.str(), NoSuch.str()}),
                               unit("b.cpp", 1, {Standard.str()}), unit("c.cpp", 0, {})};
  IncompleteUnits Out = allOf(Units);
  EXPECT_TRUE(Out.Files.empty());
  ASSERT_EQ(Out.Flags.size(), 2u);
  EXPECT_EQ(Out.Flags[0].Error, NoSuch);
  EXPECT_EQ(Out.Flags[0].NumFiles, 1u);
  EXPECT_EQ(Out.Flags[1].Error, Standard);
  EXPECT_EQ(Out.Flags[1].NumFiles, 2u);
}

TEST(IncompleteUnits, KeepErrorsOfTheTextApartFromFlags) {
  std::vector<UnitFacts> Units{unit("a.cpp", 2, {NoSuch.str(), "a.cpp:1:9: no 'x'"}),
                               unit("b.cpp", 3, {NoSuch.str(), "b.cpp:2:1: no 'y'"})};
  IncompleteUnits Out = allOf(Units);
  ASSERT_EQ(Out.Files.size(), 2u);
  EXPECT_EQ(Out.Files[0].Why, "Clang reports an error (a.cpp:1:9: no 'x'); code affected by it is "
                              "not compared with the schemas");
  EXPECT_EQ(Out.Files[1].Why, "Clang reports 2 errors, first: b.cpp:2:1: no 'y'; code affected by "
                              "them is not compared with the schemas");
  ASSERT_EQ(Out.Flags.size(), 1u);
  EXPECT_EQ(Out.Flags[0].NumFiles, 2u);
  // What a finding says, no note repeats; the flag is no such thing.
  Out = incompleteUnits(Units, [](llvm::StringRef File) { return File == "a.cpp"; });
  ASSERT_EQ(Out.Files.size(), 1u);
  EXPECT_EQ(Out.Files[0].Unit, &Units[1]);
  EXPECT_EQ(Out.Flags.size(), 1u);
}

TEST(IncompleteUnits, ReportFlagsBesideMissingHeaders) {
  UnitFacts Unit = unit("a.cpp", 1, {NoSuch.str()});
  Unit.MissingHeaders = {"a.h", "b.h"};
  IncompleteUnits Out = allOf(Unit);
  ASSERT_EQ(Out.Files.size(), 1u);
  EXPECT_EQ(Out.Files[0].Why, "'a.h' and 1 more header were not found; code that needs them is not "
                              "compared with the schemas");
  EXPECT_EQ(Out.Flags.size(), 1u);
}

TEST(IncompleteUnits, ReportBodiesBesideFlags) {
  EXPECT_NE(bodyErrors(unit("a.cpp", 0, {"a.cpp:2:3: no 'x'"})).find("a.cpp:2:3: no 'x'"),
            std::string::npos);
  EXPECT_NE(bodyErrors(unit("a.cpp", 1, {NoSuch.str(), "a.cpp:2:3: no 'x'"}))
                .find("the first error is a.cpp:2:3: no 'x'"),
            std::string::npos);
  EXPECT_EQ(bodyErrors(unit("a.cpp", 1, {NoSuch.str()})), "");
  EXPECT_EQ(bodyErrors(unit("a.cpp", 2, {NoSuch.str(), "a.cpp:2:3: no 'x'"})), "");
}

TEST(IncompleteUnits, SayAllOfAFile) {
  UnitFacts Unit = unit(
      "a.cpp", 4,
      {NoSuch.str(), "unknown argument: '-fa'", "unknown argument: '-fb'", "a.cpp:1:9: no 'x'"});
  EXPECT_EQ(incompleteParse(Unit),
            "unknown argument: '-fnosuch'; remove or correct this flag; unknown argument: '-fa'; "
            "remove or correct this flag; unknown argument: '-fb'; remove or correct this flag; "
            "Clang reports an error (a.cpp:1:9: no 'x'); code affected by it is not compared with "
            "the schemas");
  EXPECT_EQ(incompleteParse(unit("a.cpp", 0, {})), "");
}

TEST(FlagErrors, AdviseBehindEachFlag) {
  std::string First =
      joinFirstErrors(joinFirstErrors("unknown argument: '--fix'", Standard), "a:1");
  EXPECT_TRUE(llvm::StringRef(withFlagAdvice(First))
                  .starts_with("unknown argument: '--fix'; opsig's own options go before '--'; "
                               "invalid value 'c++99' in '-std=c++99'; expected 'c++17'"));
  EXPECT_TRUE(llvm::StringRef(withFlagAdvice(First)).ends_with("; a:1"));
  EXPECT_EQ(withFlagAdvice("a:1: no"), "a:1: no");
  EXPECT_EQ(splitFirstErrors(First).Flags.size(), 2u);
  // The next error of a text takes the place of one in a body; a flag never does.
  EXPECT_EQ(splitFirstErrors(joinFirstErrors(First, "b:2")).Text, "b:2");
  EXPECT_EQ(splitFirstErrors(joinFirstErrors(First, NoSuch)).Text, "a:1");
}

} // namespace
