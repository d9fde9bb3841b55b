//===- ForeignSyntax.cpp - Schemas written in Python's or C++'s manner ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ForeignSyntax.h"
#include "ParseInternal.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::formatv;
using llvm::StringRef;

namespace opsig::schema {

namespace {

bool isIdentifier(StringRef Text) { return !Text.empty() && firstNonIdentifier(Text).empty(); }

/// The piece of text from the beginning of \p First to the end of \p Last.
StringRef join(StringRef First, StringRef Last) {
  return StringRef(First.data(), Last.end() - First.data());
}

/// Words between blanks that stand outside of brackets and quotes.
std::vector<StringRef> wordsOf(StringRef Text) {
  std::vector<StringRef> Words = splitOutside(Text, ' ');
  llvm::erase_if(Words, [](StringRef W) { return W.trim().empty(); });
  return Words;
}

StringRef firstWord(StringRef Text) {
  return Text.take_while([](char Ch) { return llvm::isAlnum(Ch) || Ch == '_'; });
}

/// "=3" for " = 3".
std::string defaultText(StringRef Text) {
  return Text.empty() ? "" : "=" + Text.drop_front(1).trim().str();
}

} // namespace

std::optional<Explanation> ForeignSyntax::explainType(StringRef Text) const {
  Text = Text.trim();
  if (isType(Text))
    return std::nullopt;
  std::optional<ForeignType> Ty = translate(Text);
  if (!Ty)
    return std::nullopt;
  Explanation Out{Text, "", Text, Ty->IsCertain ? Ty->Schema : ""};
  bool IsNative = L == Language::Native;
  bool IsOutside = Ty->Kind == ForeignType::Dict || Ty->Kind == ForeignType::Tuple;
  bool IsBracketed = Ty->Kind != ForeignType::Name && Text.ends_with("]");
  Out.Id = IsOutside                        ? finding::TypeTorchScriptOnly
           : Text.trim("& ").ends_with(">") ? finding::TypeBracket
           : IsBracketed                    ? finding::ListSizeNotNumber
                                            : finding::TypeUnknown;
  switch (Ty->Kind) {
  case ForeignType::Optional:
    Out.Message = formatv("optional types end in '?'; write '{0}'", Ty->Schema);
    break;
  case ForeignType::List:
    Out.Message = formatv("list types end in '[]'; write '{0}'", Ty->Schema);
    break;
  case ForeignType::Dict:
    Out.Message = IsNative ? "native functions cannot take or return a dictionary"
                           : formatv("dictionary types are written '{0}'", Ty->Schema).str();
    break;
  case ForeignType::Tuple:
    Out.Message = IsNative ? "native functions cannot take a tuple; make each element an argument"
                           : formatv("tuple types are written '{0}'", Ty->Schema).str();
    break;
  case ForeignType::Name:
    // Such a parameter in C++ is often an output, so nobody but the user can choose.
    if (Ty->Schema == "Tensor" && Text.ends_with("&") && !Text.contains("const ")) {
      Out.Suggestion.clear();
      Out.Message = formatv("in a schema, write 'Tensor', or 'Tensor(a!)' for a tensor that the "
                            "operator writes to, not '{0}'",
                            quoted(Text));
      break;
    }
    Out.Message =
        formatv(Ty->IsCertain ? "in a schema, write '{0}', not '{1}'"
                              : "schemas have no type '{1}'; use '{0}' for numbers of any kind",
                Ty->Schema, quoted(Text));
    break;
  }
  return Out;
}

/// `x: float = 3`
std::optional<Explanation> ForeignSyntax::explainAnnotated(StringRef Text) const {
  StringRef Name = firstWord(Text);
  StringRef Rest = Text.drop_front(Name.size()).ltrim();
  if (!isIdentifier(Name) || !Rest.consume_front(":") || Rest.starts_with(":"))
    return std::nullopt;
  size_t Equals = findOutside(Rest, "=");
  StringRef Type = Rest.take_front(Equals).trim();
  StringRef Default = Equals == StringRef::npos ? "" : Rest.drop_front(Equals);
  std::optional<std::string> Schema = spell(Type, 0);
  std::string Now =
      formatv("{0} {1}{2}", Schema ? *Schema : quoted(Type), Name, defaultText(Default.rtrim()));
  if (Type.empty())
    return Explanation{Text,
                       formatv("argument '{0}' needs a type, for example 'Tensor {0}'", Name)};
  return Explanation{Text, "the type comes first; write '" + quoted(Now) + "'", Text,
                     Schema ? Now : "", finding::ArgumentTypeMissing};
}

/// A type or a name alone.
std::optional<Explanation> ForeignSyntax::explainSingleWord(StringRef Text) const {
  size_t Equals = findOutside(Text, "=");
  StringRef Word = Text.take_front(Equals);
  std::optional<std::string> Schema = spell(Word, 0);
  if (Schema && Equals == StringRef::npos)
    return Explanation{
        Text, formatv("the '{0}' argument needs a name, for example '{0} x'", quoted(*Schema))};
  if (!isIdentifier(Word) || Schema)
    return std::nullopt;
  if (Equals != StringRef::npos)
    return Explanation{Text, formatv("argument '{0}' needs a type before its name", quoted(Word))};
  return Explanation{
      Text, formatv("argument '{0}' needs a type, for example 'Tensor {0}'", quoted(Word))};
}

/// `float eps=1e-5f`
static std::optional<Explanation> explainSuffix(StringRef Text) {
  size_t Equals = findOutside(Text, "=");
  if (Equals == StringRef::npos)
    return std::nullopt;
  StringRef Value = Text.drop_front(Equals + 1).trim(), Number = Value.rtrim("fFlLuU");
  double Unused;
  if (Number.empty() || Number.size() == Value.size() || Number.getAsDouble(Unused))
    return std::nullopt;
  return Explanation{Value, formatv("numbers have no suffix in schemas; write '{0}'", Number),
                     Value, Number.str()};
}

/// `Tensor x int n`, `n=3 int`, `torch.Tensor x`
std::optional<Explanation> ForeignSyntax::explainWords(StringRef Text) const {
  std::vector<StringRef> Words = wordsOf(Text);
  if (Words.empty())
    return std::nullopt;
  if (Words.size() == 1)
    return explainSingleWord(Words[0]);
  if (Words.size() == 2 && findOutside(Words[0], "=") != StringRef::npos) {
    auto [Name, Value] = Words[0].split('=');
    std::optional<std::string> Schema = spell(Words[1], 0);
    if (!isIdentifier(Name) || isType(Name) || Value.empty() || !Schema)
      return std::nullopt;
    std::string Now = formatv("{0} {1}={2}", *Schema, Name, Value);
    return Explanation{Text, "the default comes last; write '" + quoted(Now) + "'", Text, Now,
                       finding::ArgumentTypeMissing};
  }
  StringRef Name = Words[1].split('=').first;
  if (Words.size() >= 4 && isType(Words[0]) && isIdentifier(Name) && !isType(Name) &&
      spell(Words[2], 0) && isIdentifier(Words[3].split('=').first))
    return Explanation{Words[2], formatv("missing ',' before '{0}'", quoted(Words[2])), Words[1],
                       (Words[1] + ",").str()};
  size_t Equals = findOutside(Text, "=");
  std::vector<StringRef> Left = wordsOf(Text.take_front(Equals));
  if (Left.size() < 2 || !isIdentifier(Left.back()))
    return std::nullopt;
  return explainType(join(Left.front(), Left[Left.size() - 2]));
}

std::optional<Explanation> ForeignSyntax::explainArgument(StringRef Text) const {
  Text = Text.trim();
  if (Text.empty())
    return Explanation{Text, "expected an argument; remove the extra ','"};
  if (std::optional<Explanation> E = explainSuffix(Text))
    return E;
  if (StringRef Rest = Text; Rest.consume_front("*") && !Rest.empty()) {
    StringRef Name = Rest.ltrim("*");
    if (isIdentifier(Name))
      return Explanation{
          Text, formatv("'{0}' is not supported in schemas; list each argument", quoted(Text))};
    if (Name.size() == Rest.size() && Name.front() != ',' && wordsOf(Name).size() > 1)
      return Explanation{Text.take_front(1), "missing ',' after '*'", Text.take_front(1), "*,"};
    return std::nullopt;
  }
  if (size_t Arrow = Text.find("->"); Arrow != StringRef::npos && !Text.contains('(')) {
    size_t From = Text.take_front(Arrow).rtrim().size();
    return Explanation{Text.substr(Arrow, 2), "expected ')' before '->'",
                       Text.slice(From, Arrow + 2), ") ->"};
  }
  if (std::optional<Explanation> E = explainAnnotated(Text))
    return E;
  return explainWords(Text);
}

std::optional<Explanation> ForeignSyntax::explainReturns(StringRef Text) const {
  Text = Text.trim();
  if (Text.empty())
    return Explanation{
        Text, "missing return type after '->'; write '-> Tensor', or '-> ()' for no return value"};
  if (StringRef Kept = Text; Kept.consume_back(";") && !Kept.empty())
    return Explanation{Text.take_back(1), "unexpected ';' after the schema", Text,
                       Kept.rtrim().str()};
  if (Text == "void" || Text == "None" || Text == "NoneType")
    return Explanation{Text, formatv("write '()' for no return value, not '{0}'", Text), Text,
                       "()"};
  std::vector<StringRef> Parts = splitOutside(Text, ',');
  if (Parts.size() > 1) {
    std::optional<std::string> All = spellAll(Parts, 0);
    return Explanation{Text,
                       formatv("several returns need parentheses; write '({0})'",
                               All ? quoted(*All) : quoted(Text)),
                       Text, All ? "(" + *All + ")" : ""};
  }
  if (StringRef Inner = Text; Inner.consume_front("(")) {
    if (!Inner.consume_back(")")) {
      if (Inner.contains(')'))
        return std::nullopt;
      return Explanation{Text, "expected ')' after the return types", Text, (Text + ")").str()};
    }
    for (StringRef Part : splitOutside(Inner, ','))
      if (std::optional<Explanation> E = explainType(Part))
        return E;
    return std::nullopt;
  }
  std::optional<ForeignType> Ty = isType(Text) ? std::nullopt : translate(Text);
  if (Ty && Ty->Kind == ForeignType::Tuple)
    return Explanation{Text, formatv("several returns need parentheses; write '{0}'", Ty->Schema),
                       Text, Ty->Schema};
  return explainType(Text);
}

std::optional<Explanation> ForeignSyntax::explainArrow(StringRef Text) const {
  StringRef Found = Text.ltrim();
  if (Found.trim().empty())
    return Explanation{Found,
                       "missing return type; add '-> Tensor', or '-> ()' for no return value"};
  for (StringRef Arrow : {"=>", ":", "-", ">", "="})
    if (Found.starts_with(Arrow) && !Found.starts_with("->")) {
      StringRef At = Found.take_front(Arrow.size());
      // "f(): Tensor" has no blank before the colon.
      bool NeedsBlank = Found.size() == Text.size();
      return Explanation{At, formatv("expected '->' before the return type but found '{0}'", Arrow),
                         At, NeedsBlank ? " ->" : "->"};
    }
  StringRef Word = wordsOf(Found).front();
  if (!isType(Word) && Word != "()")
    return std::nullopt;
  return Explanation{Word, formatv("expected '->' before '{0}'", quoted(Word)), Word,
                     ("-> " + Word).str()};
}

} // namespace opsig::schema
