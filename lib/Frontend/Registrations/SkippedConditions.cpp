//===- SkippedConditions.cpp - what turns on lines that are left out ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/SkippedConditions.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace opsig;
using namespace clang;
using llvm::ArrayRef;
using llvm::StringRef;

std::vector<ConditionalBranch> opsig::conditionalBranches(ArrayRef<RawDirective> Directives) {
  std::vector<ConditionalBranch> Out;
  std::vector<int> Open;
  for (const RawDirective &D : Directives) {
    StringRef Word = D.Words.front().Text;
    if (!Word.starts_with("if") && Open.empty())
      continue; // nothing that it belongs to
    ConditionalBranch Next{D.Hash, D.end(), &D};
    if (Word.starts_with("if")) {
      Next.Parent = Open.empty() ? -1 : Open.back();
    } else {
      ConditionalBranch &Before = Out[Open.back()];
      Before.End = D.Hash;
      Open.pop_back();
      if (Word == "endif")
        continue;
      Next.Parent = Before.Parent;
      Next.Needs = Before.Needs;
      Next.Needs.back().second = false;
    }
    Next.Needs.push_back({&D, true});
    Open.push_back(Out.size());
    Out.push_back(std::move(Next));
  }
  return Out;
}

namespace {

/// A condition as a tree.
struct Formula {
  enum Kind : uint8_t { Constant, Macro, Defined, Not, And, Or, Version, Unknown } Is = Unknown;
  std::string Name;
  bool Value = false;
  std::vector<Formula> Parts = {};
};

Formula negated(Formula F) { return {Formula::Not, "", false, {std::move(F)}}; }

class FormulaParser {
public:
  explicit FormulaParser(ArrayRef<RawToken> Words) : Rest(Words) {}

  Formula parse() {
    Formula Out = disjunction();
    return Rest.empty() ? Out : Formula();
  }

private:
  bool take(tok::TokenKind Kind) {
    if (Rest.empty() || Rest.front().Is != Kind)
      return false;
    Rest = Rest.drop_front();
    return true;
  }
  Formula disjunction();
  Formula conjunction();
  Formula comparison();
  Formula primary();
  Formula defined();
  Formula number(StringRef Text);

  ArrayRef<RawToken> Rest;
  unsigned Depth = 0;
};

Formula FormulaParser::disjunction() {
  Formula Left = conjunction();
  while (take(tok::pipepipe)) {
    Formula Both{Formula::Or, "", false, {std::move(Left)}};
    Both.Parts.push_back(conjunction());
    Left = std::move(Both);
  }
  return Left;
}

Formula FormulaParser::conjunction() {
  Formula Left = comparison();
  while (take(tok::ampamp)) {
    Formula Both{Formula::And, "", false, {std::move(Left)}};
    Both.Parts.push_back(comparison());
    Left = std::move(Both);
  }
  return Left;
}

/// What compares numbers asks for a version.
Formula FormulaParser::comparison() {
  Formula Left = primary();
  bool Compares = false;
  while (!Rest.empty() &&
         !llvm::is_contained({tok::pipepipe, tok::ampamp, tok::r_paren}, Rest.front().Is)) {
    Compares = true;
    Rest = Rest.drop_front();
    primary();
  }
  return Compares ? Formula{Formula::Version} : Left;
}

Formula FormulaParser::defined() {
  bool Closes = take(tok::l_paren);
  if (Rest.empty() || Rest.front().Is != tok::raw_identifier)
    return {};
  Formula Out{Formula::Defined, Rest.front().Text.str()};
  Rest = Rest.drop_front();
  return Closes && !take(tok::r_paren) ? Formula() : Out;
}

Formula FormulaParser::number(StringRef Text) {
  uint64_t Value = 0;
  Text = Text.rtrim("uUlL");
  return Text.getAsInteger(0, Value) ? Formula() : Formula{Formula::Constant, "", Value != 0};
}

Formula FormulaParser::primary() {
  constexpr unsigned Deepest = 200;
  if (Rest.empty() || ++Depth > Deepest)
    return {};
  if (take(tok::exclaim))
    return negated(primary());
  if (take(tok::l_paren)) {
    Formula Inner = disjunction();
    return take(tok::r_paren) ? Inner : Formula();
  }
  RawToken T = Rest.front();
  Rest = Rest.drop_front();
  if (T.is("defined"))
    return defined();
  if (T.Is == tok::numeric_constant)
    return number(T.Text);
  if (T.Is != tok::raw_identifier || (!Rest.empty() && Rest.front().Is == tok::l_paren)) {
    Rest = {}; // a macro with arguments
    return {};
  }
  if (T.is("true") || T.is("false"))
    return {Formula::Constant, "", T.is("true")};
  return {Formula::Macro, T.Text.str()};
}

Formula formulaOf(const RawDirective &D) {
  ArrayRef<RawToken> Words = D.Words;
  StringRef Word = Words.front().Text;
  if (Word == "else")
    return {Formula::Constant, "", true};
  Words = Words.drop_front();
  if (Word == "if" || Word == "elif")
    return FormulaParser(Words).parse();
  if (Words.size() != 1)
    return {};
  Formula Out{Formula::Defined, Words.front().Text.str()};
  return Word.ends_with("ndef") ? negated(std::move(Out)) : Out;
}

std::optional<bool> constantValue(const Formula &F) {
  if (F.Is == Formula::Constant)
    return F.Value;
  if (F.Is == Formula::Not) {
    std::optional<bool> Inner = constantValue(F.Parts.front());
    return Inner ? std::optional(!*Inner) : std::nullopt;
  }
  if (F.Is != Formula::And && F.Is != Formula::Or)
    return std::nullopt;
  bool Decides = F.Is == Formula::Or;
  bool All = true;
  for (const Formula &Part : F.Parts) {
    std::optional<bool> Value = constantValue(Part);
    if (Value == Decides)
      return Decides;
    All &= Value.has_value();
  }
  return All ? std::optional(!Decides) : std::nullopt;
}

/// Its value depends on a release, a platform, a compiler, or on what is not understood.
bool isOfOther(const Formula &F) {
  if (F.Is == Formula::Version || F.Is == Formula::Unknown)
    return true;
  StringRef Name = F.Name;
  return Name.starts_with("_") || Name.contains("VERSION") || Name.starts_with("TORCH_") ||
         Name.starts_with("C10_") || Name.starts_with("AT_") || Name == "NDEBUG" ||
         Name == "WIN32" || llvm::any_of(F.Parts, isOfOther);
}

} // namespace

/// Adds to \p Wishes what makes \p F have \p Value. False where that contradicts them.
static bool grant(const Formula &F, bool Value, std::map<std::string, bool> &Wishes) {
  switch (F.Is) {
  case Formula::Constant:
    return F.Value == Value;
  case Formula::Macro:
  case Formula::Defined:
    return Wishes.try_emplace(F.Name, Value).first->second == Value;
  case Formula::Not:
    return grant(F.Parts.front(), !Value, Wishes);
  case Formula::And:
  case Formula::Or:
    break;
  case Formula::Version:
  case Formula::Unknown:
    return false;
  }
  if ((F.Is == Formula::And) == Value)
    return llvm::all_of(F.Parts, [&](const Formula &Part) { return grant(Part, Value, Wishes); });
  return llvm::any_of(F.Parts, [&](const Formula &Part) {
    auto Trial = Wishes;
    bool Works = grant(Part, Value, Trial);
    if (Works)
      Wishes = std::move(Trial);
    return Works;
  });
}

MacroWishes::Answer MacroWishes::wish(ArrayRef<ConditionalBranch> Branches, int Index) {
  std::map<std::string, bool> Trial = Defined;
  bool Possible = true, OfOther = false;
  for (; Index >= 0; Index = Branches[Index].Parent)
    for (const auto &[Directive, Value] : Branches[Index].Needs) {
      Formula F = formulaOf(*Directive);
      if (constantValue(F) == !Value)
        return Dead;
      OfOther |= isOfOther(F);
      Possible = Possible && grant(F, Value, Trial);
    }
  if (OfOther)
    return Other;
  if (!Possible)
    return Denied;
  Defined = std::move(Trial);
  return Granted;
}

std::vector<std::string> MacroWishes::flags() const {
  std::vector<std::string> Out;
  for (const auto &[Name, IsDefined] : Defined)
    Out.push_back((IsDefined ? "-D" : "-U") + Name);
  return Out;
}
