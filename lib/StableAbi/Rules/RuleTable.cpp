//===- RuleTable.cpp - a use => what the first row that fits makes of it --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rules/RuleTable.h"
#include "opsig/Support/CallPattern.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

//===- What a row writes ------------------------------------------------------===//

namespace {

/// Headers of the language that new texts need.
constexpr std::pair<StringLiteral, StringLiteral> StandardHeaders[] = {
    {"std::optional std::nullopt std::nullopt_t std::make_optional", "optional"},
    {"std::string_view", "string_view"},
    {"std::array", "array"},
    {"std::string", "string"},
    {"std::tuple", "tuple"},
    {"std::vector", "vector"},
    {"std::out_of_range std::invalid_argument", "stdexcept"},
};

bool isStableWord(StringRef Word) {
  static constexpr StringLiteral Prefixes[] = {"STD_",    "THO_",        "AT_",
                                               "STABLE_", "aoti_torch_", "torch_call_"};
  return (isStableName(Word) && !Word.contains("::detail::")) ||
         any_of(Prefixes, [&](StringRef Prefix) { return Word.starts_with(Prefix); });
}

/// Of an enumerator, headers declare the enumeration.
StringRef declaredName(StringRef Word) {
  StringRef Name = Word;
  return Name.consume_front("torch::headeronly::") && Name.contains("::") ? Word.rsplit("::").first
                                                                          : Word;
}

bool isPartOfName(char C) { return isAlnum(C) || C == '_' || C == ':'; }

} // namespace

WayBuilder &WayBuilder::lookUp(StringRef Code) {
  while (!Code.empty()) {
    StringRef Word = Code.take_while(isPartOfName);
    Code = Code.drop_front(std::max<size_t>(Word.size(), 1));
    // "StableTensorArg::same_type" is part of a helper.
    if (StringRef Helper = Word.split("::").first; findHelper(Helper))
      helper(Helper);
    else if (isStableWord(Word))
      need(declaredName(Word));
    for (auto [Names, Header] : StandardHeaders)
      if (!Word.empty() && isWordOf(Names, Word))
        header(Header);
  }
  return *this;
}

WayBuilder &WayBuilder::templateArguments(const ApiUse &Use, bool With32Bits) {
  const Span &S = Use.TemplateArgs;
  from({S.File, S.Offset + 1, S.Length - 2});
  if (!With32Bits)
    return *this;
  // The one class has the type of indices last.
  return text(StringRef(Use.TemplateText).contains("PtrTraits")
                  ? ", int32_t"
                  : ", torch::headeronly::DefaultPtrTraits, int32_t");
}

WayBuilder &WayBuilder::pattern(StringRef To, const ApiUse &Use, bool LookUp) {
  for (const PatternPiece &P : patternPieces(To)) {
    if (P.Is == PatternPiece::Words) {
      text(P.Text);
      if (LookUp)
        lookUp(P.Text);
    } else if (P.Is == PatternPiece::Argument) {
      from(Use.Args[P.Number - 1].At);
    } else if (P.Is == PatternPiece::ArgumentsFrom) {
      Span Rest = P.Number == 1 ? Use.ArgList : Use.Args[P.Number - 1].At;
      Rest.Length = P.Number == 1 ? Rest.Length : Use.Args.back().At.end() - Rest.Offset;
      from(Rest);
    } else {
      part(P.Text[0], Use);
    }
  }
  return *this;
}

bool opsig::isNumber(const ApiArgument &Given) {
  return is_contained({"int", "long", "unsigned int", "unsigned long", "short", "bool"},
                      StringRef(Given.Type));
}

WayBuilder &WayBuilder::optionalList(StringRef Element, const ApiArgument &Given) {
  const bool Number = isNumber(Given);
  if (!Number && !Context.text(Given.At).starts_with("{"))
    return from(Given.At);
  text(("std::vector<" + Element + ">").str()).header("vector");
  return text(Number ? "{" : "").from(Given.At).text(Number ? "}" : "");
}

/// PyTorch's class for optional lists takes care of numbers and lists in braces, the optional of a
/// view that stands for it does not.
void WayBuilder::arguments(const ApiUse &Use) {
  auto IsList = [&](size_t I) {
    return I < Use.Params.size() && withoutNamespace(Use.Params[I]) == "OptionalIntArrayRef";
  };
  if (none_of(seq<size_t>(0, Use.Args.size()), IsList)) {
    if (!Use.Args.empty())
      from(Use.ArgList);
    return;
  }
  for (auto [I, Given] : enumerate(Use.Args)) {
    text(I ? ", " : "");
    IsList(I) ? optionalList("int64_t", Given) : from(Given.At);
  }
}

/// What a letter of a pattern stands for.
void WayBuilder::part(char Letter, const ApiUse &Use) {
  const ApiOptions &O = Use.Options;
  const StringRef Dot = Use.Arrow ? "->" : ".";
  // `x->options()`
  const bool ArrowOfLike =
      O.Like.isValid() && Context.text({O.Like.File, O.Like.end(), 8}).ltrim().starts_with("->");
  const StringRef DotOfLike = ArrowOfLike ? "->" : ".";
  auto SaidOrLike = [&](Span Said, StringRef Method) {
    if (Said.isValid())
      from(Said);
    else
      from(O.Like.isValid() ? O.Like : Use.Args[0].At).text(DotOfLike).text(Method);
  };
  switch (Letter) {
  case 'x':
    text(Use.Arrow ? "*" : "");
    [[fallthrough]];
  case 'o':
    from(Use.Object);
    return;
  case '.':
    text(Dot);
    return;
  case 'a':
    return arguments(Use);
  case 't':
  case 'T':
    templateArguments(Use, /*With32Bits=*/Letter == 'T');
    return;
  case 'l':
    text(ArrowOfLike ? "*" : "").from(O.Like);
    return;
  case 'p':
    return addParts(*this, O);
  case 'q':
    return addParts(*this, O, O.Like, DotOfLike);
  case 'Q':
    return addParts(*this, O, Use.Object, Dot);
  case 'd':
    return SaidOrLike(O.Dtype, "scalar_type()");
  case 'v':
    return SaidOrLike(O.Device, "device()");
  }
}

//===- Whether it fits --------------------------------------------------------===//

namespace {

/// What the head of a row says behind the name.
struct RowHead {
  bool Fits = false, IsTemplate = false, IsCall = false, IsStatement = false;
};

bool argumentFits(StringRef Wanted, const ApiArgument &Given, const ApiOptions &O,
                  const StableContext &Context) {
  if (isWordOf("Options Like Typed", Wanted))
    return O.Known && (Wanted != "Like" || O.Like.isValid()) &&
           (Wanted != "Typed" || O.Dtype.isValid());
  if (Wanted.starts_with("\""))
    return Context.text(Given.At).starts_with("\"");
  auto [Type, Place] = Wanted.split(" $");
  if (!Place.empty()) {
    StringRef Of = withoutNamespace(Given.Type);
    return Type == "Dtype" ? Of == "ScalarType" || Of == "TypeMeta" : Of == Type;
  }
  return Wanted.starts_with("$") || Context.text(Given.At) == Wanted;
}

bool argumentsFit(StringRef Wanted, const ApiUse &Use, const StableContext &Context) {
  SmallVector<StringRef> Parts;
  Wanted.split(Parts, ", ", -1, /*KeepEmpty=*/false);
  const bool More = !Parts.empty() && Parts.back() == "$*";
  if (More)
    Parts.pop_back();
  if (More ? Use.Args.size() < Parts.size() : Use.Args.size() != Parts.size())
    return false;
  return all_of(zip(Parts, Use.Args), [&](const auto &Pair) {
    return argumentFits(std::get<0>(Pair), std::get<1>(Pair), Use.Options, Context);
  });
}

RowHead headOf(const StableRule &Row, StringRef Name, const ApiUse &Use,
               const StableContext &Context) {
  RowHead Head;
  StringRef Rest = Row.From;
  if (!Rest.consume_front(Name))
    return Head;
  StringRef Arguments = Rest.starts_with("<") ? Rest.split('>').first.drop_front() : "";
  Head.IsTemplate = Rest.consume_front("<");
  if (Head.IsTemplate)
    Rest = Rest.split('>').second;
  Head.IsStatement = Rest.consume_back(";");
  Head.IsCall = Rest.consume_front("(") && Rest.consume_back(")");
  Head.Fits = Head.IsCall ? (Use.isCall() || !Use.Args.empty()) && argumentsFit(Rest, Use, Context)
                          : Rest.empty();
  Head.Fits &= !Head.IsTemplate ||
               (Use.TemplateArgs.isValid() &&
                (Arguments.empty() || Arguments == StringRef(Use.TemplateText).trim("<> ")));
  return Head;
}

FindingId findingOf(RuleTable Of) {
  switch (Of) {
  case RuleTable::Types:
  case RuleTable::Constants:
    return finding::UnstableType;
  case RuleTable::Macros:
    return finding::UnstableMacro;
  case RuleTable::Methods:
    return finding::UnstableMethod;
  default:
    return finding::UnstableFunction;
  }
}

/// None where the row is not for this target.
RuleResult changeBy(const StableRule &Row, FindingId Id, Span At, const ApiUse &Use,
                    const StableContext &Context) {
  StringRef Needs = Row.Needs;
  const bool Alone = Needs.consume_front("= "), Newer = Needs.consume_front("+ ");
  WayBuilder Way(Context);
  Way.at(At).pattern(Row.To, Use, /*LookUp=*/!Alone);
  for (StringRef Need : split(Needs, ' '))
    if (Need.consume_front("<"))
      Way.header(Need.drop_back());
    else if (!Need.empty())
      Way.need(Need);
  if (Newer && (!Context.Names.Target || !Way.missing().empty()))
    return std::nullopt;
  StringRef Instead = !Row.InWords.empty() ? Row.InWords : Row.Instead;
  if (Instead.empty())
    Instead = Row.To.take_front(std::min(Row.To.find('('), Row.To.find("<$")));
  StableChange Change = movesBy(Use, Id, Instead, std::move(Way));
  if (Change.Is != StableChange::Moves)
    return Change;
  Change.InWords = !Row.InWords.empty();
  toBeReviewed(Change, Row.Review.str());
  if (Row.To.contains("$q") || Row.To.contains("$Q"))
    lookWhereRepeated(Change, Row.To.contains("$q") ? Use.Options.Like : Use.Object, Context);
  return Change;
}

} // namespace

RuleResult opsig::ruleFrom(RuleTable Of, StringRef Name, const ApiUse &Use,
                           const StableContext &Context) {
  const FindingId Id = findingOf(Of);
  for (const StableRule &Row : stableRules(Of)) {
    const RowHead Head = headOf(Row, Name, Use, Context);
    if (!Head.Fits)
      continue;
    std::optional<Span> At = Head.IsStatement                 ? Context.statement(Use.At)
                             : Head.IsCall || Head.IsTemplate ? Use.At
                                                              : Use.NameAt;
    if (!At)
      continue;
    if (Head.IsStatement)
      At = Context.wholeLines(*At);
    if (Row.To.empty() && Row.InWords.empty())
      return staysAsIs(Use, Id, Row.Review.str());
    if (RuleResult Change = changeBy(Row, Id, *At, Use, Context))
      return Change;
  }
  for (const SameNames &Same : sameNames(Of))
    if (StringRef Last = Name; Last.consume_front(Same.Prefix) && isWordOf(Same.Names, Last)) {
      const std::string To = (Same.Scope + Last).str();
      return changeBy({Name, To}, Id, Use.NameAt, Use, Context);
    }
  return std::nullopt;
}
