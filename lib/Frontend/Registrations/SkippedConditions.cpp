//===- SkippedConditions.cpp - what turns on lines that are left out ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/SkippedConditions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
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
  enum Kind : uint8_t {
    Constant,
    Macro,
    Defined,
    Compared, ///< a macro with a number
    Not,
    And,
    Or,
    Calculation, ///< of its Parts
    Unknown
  } Is = Unknown;
  std::string Name = "";
  int64_t Number = 0; ///< of a Constant, and what a macro is compared with
  tok::TokenKind Relation = tok::unknown;
  std::vector<Formula> Parts = {};

  static Formula of(Kind Is, Formula Part) {
    Formula Out{Is};
    Out.Parts.push_back(std::move(Part));
    return Out;
  }
};

Formula negated(Formula F) { return Formula::of(Formula::Not, std::move(F)); }

Formula constant(int64_t Number) { return {Formula::Constant, "", Number}; }

/// `3 < X` for `X > 3`; of what is no relation of numbers unknown.
tok::TokenKind mirrored(tok::TokenKind Relation) {
  switch (Relation) {
  case tok::equalequal:
  case tok::exclaimequal:
    return Relation;
  case tok::less:
    return tok::greater;
  case tok::lessequal:
    return tok::greaterequal;
  case tok::greater:
    return tok::less;
  case tok::greaterequal:
    return tok::lessequal;
  default:
    return tok::unknown;
  }
}

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
    Formula Both = Formula::of(Formula::Or, std::move(Left));
    Both.Parts.push_back(conjunction());
    Left = std::move(Both);
  }
  return Left;
}

Formula FormulaParser::conjunction() {
  Formula Left = comparison();
  while (take(tok::ampamp)) {
    Formula Both = Formula::of(Formula::And, std::move(Left));
    Both.Parts.push_back(comparison());
    Left = std::move(Both);
  }
  return Left;
}

/// A macro and a number, or two numbers.
std::optional<Formula> compared(const Formula &Left, tok::TokenKind Relation,
                                const Formula &Right) {
  bool IsTurned = Right.Is == Formula::Macro;
  const Formula &First = IsTurned ? Right : Left, &Second = IsTurned ? Left : Right;
  tok::TokenKind Is = IsTurned ? mirrored(Relation) : Relation;
  if (mirrored(Relation) == tok::unknown || Second.Is != Formula::Constant)
    return std::nullopt;
  if (First.Is == Formula::Constant)
    return constant(MacroBound{Is, Second.Number}.holds(First.Number));
  if (First.Is != Formula::Macro)
    return std::nullopt;
  return Formula{Formula::Compared, First.Name, Second.Number, Is};
}

Formula FormulaParser::comparison() {
  Formula Left = primary();
  tok::TokenKind Relation = Rest.empty() ? tok::unknown : Rest.front().Is;
  Formula All = Formula::of(Formula::Calculation, Left);
  while (!Rest.empty() &&
         !llvm::is_contained({tok::pipepipe, tok::ampamp, tok::r_paren}, Rest.front().Is)) {
    Rest = Rest.drop_front();
    All.Parts.push_back(primary());
  }
  if (All.Parts.size() == 1)
    return Left;
  std::optional<Formula> Simple;
  if (All.Parts.size() == 2)
    Simple = compared(Left, Relation, All.Parts.back());
  return Simple ? *Simple : All;
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
  constexpr uint64_t Most = uint64_t(1) << 62; // with room for its neighbours
  return Text.getAsInteger(0, Value) || Value > Most ? Formula() : constant(int64_t(Value));
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
    return constant(T.is("true"));
  return {Formula::Macro, T.Text.str()};
}

Formula formulaOf(const RawDirective &D) {
  ArrayRef<RawToken> Words = D.Words;
  StringRef Word = Words.front().Text;
  if (Word == "else")
    return constant(1);
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
    return F.Number != 0;
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

/// PyTorch's, the system's or the compiler's.
bool isForeign(StringRef Name) {
  return Name.starts_with("_") || Name.starts_with("TORCH_") || Name.starts_with("C10_") ||
         Name.starts_with("AT_") || Name == "NDEBUG" || Name == "WIN32";
}

/// A number that says which release of something there is, or which device: of something that is
/// not the project, as far as the name says.
bool isForeignRelease(StringRef Name) {
  static constexpr StringRef Words[] = {"VERSION", "MAJOR", "MINOR", "PATCH", "VER", "ARCH", "SM"};
  static constexpr StringRef Owners[] = {
      "CUDA", "CUDNN", "CUBLAS", "CUSPARSE", "CUSOLVER", "CUTLASS", "CUTE",   "CUB",     "NCCL",
      "HIP",  "ROCM",  "MIOPEN", "NVSHMEM",  "NVCC",     "THRUST",  "TRITON", "PYTORCH", "PT",
      "TH",   "ATEN",  "PY",     "PYTHON",   "PYBIND",   "NUMPY",   "MKL",    "DNNL",    "ONEDNN",
      "SYCL", "LIB",   "OPENMP", "BOOST",    "FMT",      "EIGEN",   "GCC",    "CLANG",   "MSC",
      "GLIB", "LINUX", "MACOS",  "IOS",      "ANDROID",  "WIN",     "TARGET", "GPU",     "DEVICE"};
  llvm::SmallVector<StringRef> Parts;
  Name.split(Parts, '_', -1, false);
  bool IsRelease = llvm::any_of(Parts, [](StringRef P) { return llvm::is_contained(Words, P); });
  return IsRelease && (llvm::is_contained(Words, Parts.front()) ||
                       llvm::any_of(Owners, [&](StringRef O) { return Name.starts_with(O); }));
}

/// Its value depends on a release, a platform, a compiler, or on what is not understood.
bool isOfOther(const Formula &F) {
  if (F.Is == Formula::Unknown)
    return true;
  StringRef Name = F.Name;
  if (F.Is == Formula::Compared)
    return isForeign(Name) || isForeignRelease(Name);
  return isForeign(Name) || Name.contains("VERSION") ||
         llvm::any_of(F.Parts, [&](const Formula &P) {
           return isOfOther(P) || (F.Is == Formula::Calculation && isForeignRelease(P.Name));
         });
}

} // namespace

bool MacroBound::holds(int64_t Value) const {
  switch (Relation) {
  case tok::equalequal:
    return Value == Than;
  case tok::exclaimequal:
    return Value != Than;
  case tok::less:
    return Value < Than;
  case tok::lessequal:
    return Value <= Than;
  case tok::greater:
    return Value > Than;
  case tok::greaterequal:
    return Value >= Than;
  default:
    return false;
  }
}

std::optional<std::string> MacroNeeds::flag(StringRef Name) const {
  auto Fits = [&](int64_t Value) {
    return llvm::all_of(Bounds, [&](const MacroBound &B) { return B.holds(Value) == B.IsWanted; });
  };
  // One that is not defined counts as 0.
  if (Defined != true && Fits(0))
    return ("-U" + Name).str();
  if (Defined == false)
    return std::nullopt;
  if (Fits(1))
    return ("-D" + Name).str();
  std::vector<int64_t> Values = {0};
  for (const MacroBound &B : Bounds)
    Values.insert(Values.end(), {B.Than, B.Than + 1, B.Than - 1});
  auto Found = llvm::find_if(Values, Fits);
  if (Found == Values.end())
    return std::nullopt;
  return ("-D" + Name + "=" + llvm::Twine(*Found)).str();
}

using AllNeeds = std::map<std::string, MacroNeeds>;

static bool grantMacro(const Formula &F, bool Value, AllNeeds &Wishes) {
  MacroNeeds &Needs = Wishes[F.Name];
  if (F.Is == Formula::Defined) {
    if (Needs.Defined && *Needs.Defined != Value)
      return false;
    Needs.Defined = Value;
  } else {
    tok::TokenKind Relation = F.Is == Formula::Macro ? tok::exclaimequal : F.Relation;
    Needs.Bounds.push_back({Relation, F.Number, Value});
  }
  return Needs.flag(F.Name).has_value();
}

/// Adds to \p Wishes what makes \p F have \p Value. False where that contradicts them.
static bool grant(const Formula &F, bool Value, AllNeeds &Wishes) {
  switch (F.Is) {
  case Formula::Constant:
    return (F.Number != 0) == Value;
  case Formula::Macro:
  case Formula::Defined:
  case Formula::Compared:
    return grantMacro(F, Value, Wishes);
  case Formula::Not:
    return grant(F.Parts.front(), !Value, Wishes);
  case Formula::And:
  case Formula::Or:
    break;
  case Formula::Calculation:
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
  AllNeeds Trial = Needs;
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
  Needs = std::move(Trial);
  return Granted;
}

std::vector<std::string> MacroWishes::flags() const {
  std::vector<std::string> Out;
  for (const auto &[Name, Of] : Needs)
    Out.push_back(*Of.flag(Name));
  return Out;
}
