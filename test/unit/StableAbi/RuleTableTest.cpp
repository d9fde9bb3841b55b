//===- RuleTableTest.cpp - rows of the table, and what they make of a use -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rules/RuleTable.h"
#include "gtest/gtest.h"
#include "opsig/Support/CallPattern.h"
#include <map>
#include <set>

using namespace opsig;
using llvm::StringRef;
using llvm::VersionTuple;

namespace {

constexpr RuleTable AllTables[] = {RuleTable::Types,   RuleTable::Constants, RuleTable::Macros,
                                   RuleTable::Methods, RuleTable::Functions, RuleTable::Operators};

TEST(StableRules, EachRowCanBeReached) {
  for (RuleTable Of : AllTables) {
    std::set<StringRef> Seen;
    for (const StableRule &Row : stableRules(Of)) {
      const bool IsNewer = Row.Needs.starts_with("+ ");
      EXPECT_TRUE(Seen.count(Row.From) == 0) << Row.From.str();
      EXPECT_EQ(Seen.count(Row.From.split('(').first), 0u)
          << Row.From.str() << ": a row of the name alone stands in front of it";
      if (!IsNewer)
        Seen.insert(Row.From);
    }
  }
}

TEST(StableRules, ArgumentsOfTheNewTextAreThoseOfTheOld) {
  for (RuleTable Of : AllTables)
    for (const StableRule &Row : stableRules(Of)) {
      const size_t Given = Row.From.contains('(') ? Row.From.count(',') + 1 : 0;
      EXPECT_TRUE(neededArguments(patternPieces(Row.To)) <= Given || Row.From.contains("$*"))
          << Row.From.str() << " => " << Row.To.str();
      EXPECT_FALSE(Row.To.empty() && Row.InWords.empty() && !Row.Needs.empty()) << Row.From.str();
    }
}

TEST(CallPattern, PlacesAreNumbersOrLetters) {
  llvm::SmallVector<PatternPiece> Pieces = patternPieces("f($1, $x$.g($2*))");
  ASSERT_EQ(Pieces.size(), 8u);
  EXPECT_EQ(Pieces[1].Is, PatternPiece::Argument);
  EXPECT_EQ(Pieces[3].Text, "x");
  EXPECT_EQ(Pieces[4].Text, ".");
  EXPECT_EQ(Pieces[6].Is, PatternPiece::ArgumentsFrom);
  EXPECT_EQ(Pieces[6].Number, 2u);
  EXPECT_EQ(neededArguments(Pieces), 2u);
  EXPECT_EQ(neededArguments(patternPieces("g($*)")), 0u);
}

/// A use in one line of code, and the names that the headers have.
class Rows : public testing::Test {
protected:
  Rows() {
    Unit.Files = {"use.cpp"};
    Names.Find = [this](StringRef Name) -> std::optional<StableName> {
      if (Missing.count(Name.str()))
        return std::nullopt;
      return StableName{Since[Name.str()], "some/header.h"};
    };
  }

  /// \p Code is all of the use.
  ApiUse use(ApiUse::Kind Is, StringRef Code, StringRef Name, StringRef Object = "") {
    this->Code = Code.str();
    Files.emplace();
    Files->add("use.cpp", this->Code);
    ApiUse Use;
    Use.Is = Is;
    Use.At = at(Code);
    Use.NameAt = at(Name);
    Use.Object = Object.empty() ? Span() : at(Object);
    Use.Arrow = Code.contains("->");
    return Use;
  }
  Span at(StringRef Part) const {
    return {0, uint32_t(StringRef(Code).find(Part)), uint32_t(Part.size())};
  }
  void give(ApiUse &Use, StringRef ArgList, std::vector<std::pair<StringRef, StringRef>> Args) {
    Use.ArgList = at(ArgList);
    for (auto [Text, Type] : Args) {
      ApiArgument Given;
      Given.At = at(Text);
      Given.Type = Type.str();
      Use.Args.push_back(Given);
    }
  }

  RuleResult change(RuleTable Of, StringRef Name, const ApiUse &Use) {
    return ruleFrom(Of, Name, Use, {Unit, Names, *Files, Plan});
  }
  /// The new text, "" where it stays.
  std::string text(const RuleResult &Change) const {
    std::string Out;
    if (!Change || Change->Ways.empty())
      return Out;
    for (const StablePiece &P : Change->Ways.front().Rewrites.front().With)
      Out += P.From.isValid() ? Code.substr(P.From.Offset, P.From.Length) : P.Text;
    return Out;
  }

  UnitFacts Unit;
  StableNames Names;
  std::optional<SourceFiles> Files;
  StablePlan Plan;
  std::string Code;
  std::map<std::string, VersionTuple> Since;
  std::set<std::string> Missing;
};

TEST_F(Rows, TypesOfArgumentsChooseARow) {
  ApiUse Use = use(ApiUse::Method, "x->to(dev, type)", "to", "x");
  give(Use, "dev, type", {{"dev", "c10::Device"}, {"type", "c10::ScalarType"}});
  EXPECT_EQ(text(change(RuleTable::Methods, "Tensor.to", Use)),
            "torch::stable::to(*x, type, std::nullopt, dev)");
  Use.Args[1].Type = "bool";
  EXPECT_EQ(text(change(RuleTable::Methods, "Tensor.to", Use)), "torch::stable::to(*x, dev, type)");
  Use.Args[0].Type = "at::Tensor";
  RuleResult Stays = change(RuleTable::Methods, "Tensor.to", Use);
  ASSERT_TRUE(Stays);
  EXPECT_EQ(Stays->Is, StableChange::Stays);
  EXPECT_EQ(Stays->Why, "pass dtype and device separately");
}

TEST_F(Rows, HeadersSaySinceWhen) {
  Since["torch::headeronly::ScalarType"] = VersionTuple(2, 9);
  ApiUse Use = use(ApiUse::Constant, "at::kHalf", "at::kHalf");
  RuleResult Change = change(RuleTable::Constants, "kHalf", Use);
  EXPECT_EQ(text(Change), "torch::headeronly::ScalarType::Half");
  EXPECT_EQ(Change->Since, VersionTuple(2, 9));
  Names.Target = VersionTuple(2, 8);
  Change = change(RuleTable::Constants, "kHalf", Use);
  EXPECT_EQ(Change->Why,
            "'torch::headeronly::ScalarType' needs PyTorch 2.9 or later as the target");
  Missing = {"torch::headeronly::ScalarType"};
  Change = change(RuleTable::Constants, "kHalf", Use);
  EXPECT_EQ(Change->Why,
            "the headers of this PyTorch do not declare 'torch::headeronly::ScalarType'");
  EXPECT_FALSE(change(RuleTable::Constants, "kUnheardOf", Use));
}

TEST_F(Rows, NewerNamesAreForThoseWhoChoseATarget) {
  Since["torch::stable::accelerator::Stream::nativeHandle"] = VersionTuple(2, 12);
  ApiUse Use = use(ApiUse::Function, "getCurrentCUDAStream(i)", "getCurrentCUDAStream");
  give(Use, "i)", {{"i)", "int"}});
  Use.ArgList.Length = Use.Args[0].At.Length = 1;
  auto Text = [&] { return text(change(RuleTable::Functions, "cuda::getCurrentCUDAStream", Use)); };
  EXPECT_EQ(Text(), "current_cuda_stream(i)");
  Names.Target = VersionTuple(2, 11);
  EXPECT_EQ(Text(), "current_cuda_stream(i)");
  Names.Target = VersionTuple(2, 12);
  EXPECT_EQ(Text(), "static_cast<cudaStream_t>(torch::stable::accelerator::getCurrentStream(i)"
                    ".nativeHandle())");
}

TEST_F(Rows, WordsAreComparedAndStringsSeen) {
  ApiUse Use = use(ApiUse::Macro, "C10_THROW_ERROR(IndexError, what)", "C10_THROW_ERROR");
  give(Use, "IndexError, what", {{"IndexError", ""}, {"what", ""}});
  RuleResult Change = change(RuleTable::Macros, "C10_THROW_ERROR", Use);
  EXPECT_EQ(text(Change), "throw std::out_of_range(what)");
  EXPECT_EQ(Change->Ways.front().Headers, std::set<std::string>{"stdexcept"});
  Use = use(ApiUse::Macro, "C10_THROW_ERROR(OtherError, what)", "C10_THROW_ERROR");
  give(Use, "OtherError, what", {{"OtherError", ""}, {"what", ""}});
  Change = change(RuleTable::Macros, "C10_THROW_ERROR", Use);
  EXPECT_EQ(text(Change), "STD_TORCH_CHECK(false, what)");
  EXPECT_EQ(Change->Is, StableChange::Review);
  Use = use(ApiUse::Macro, "TORCH_WARN(text)", "TORCH_WARN");
  give(Use, "text", {{"text", ""}});
  EXPECT_FALSE(change(RuleTable::Macros, "TORCH_WARN", Use))
      << "nobody knows whether it is a string";
}

TEST_F(Rows, OptionsOfAPointerAreReadThroughIt) {
  ApiUse Use = use(ApiUse::Function, "at::ones(n, y->options())", "at::ones");
  Use.Arrow = false;
  give(Use, "n, y->options()", {{"n,", "at::IntArrayRef"}, {"y->options()", "at::TensorOptions"}});
  Use.Args[0].At.Length = 1;
  Use.Options.Known = true;
  Use.Options.Like = at("y");
  EXPECT_EQ(text(change(RuleTable::Functions, "ones", Use)),
            "torch::stable::full(n, 1, y->scalar_type(), y->layout(), y->device())");
  EXPECT_EQ(text(change(RuleTable::Functions, "zeros", Use)), "torch::stable::new_zeros(*y, n)");
}

} // namespace
