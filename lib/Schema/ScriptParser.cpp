//===- ScriptParser.cpp - libtorch's schema strings --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ParseInternal.h"
#include "ScriptInternal.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Support/TypoCorrection.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace opsig::script;
using namespace llvm;

TextRange Parser::range(const char *Begin) const {
  const char *End = LastEnd && LastEnd > Begin ? LastEnd : Begin;
  return {uint32_t(Begin - Text.data()), uint32_t(End - Begin)};
}

bool Parser::expect(StringRef Symbol) {
  if (!L.current().is(Symbol))
    return error(L.current(), "expected '{0}' but found {1}", Symbol, describe(L.current()));
  LastEnd = L.next().Text.end();
  return true;
}

bool Parser::expectIdent(StringRef What, Token &Out) {
  Out = L.current();
  if (Out.Is == Token::Keyword)
    return error(Out, "'{0}' is a TorchScript keyword and cannot be {1}", Out.Text, What);
  if (Out.Is != Token::Ident)
    return error(Out, "expected {0} but found {1}", What, describe(Out));
  LastEnd = L.next().Text.end();
  return true;
}

bool Parser::expectNumber(Token &Out) {
  Out = L.current();
  if (Out.Is != Token::Number)
    return error(Out, "expected a number but found {0}", describe(Out));
  LastEnd = L.next().Text.end();
  return true;
}

/// Elements between commas up to \p Close; what opens the list is read already.
bool Parser::list(StringRef Close, function_ref<bool()> Element) {
  if (L.nextIf(Close))
    return true;
  do {
    if (!Element())
      return false;
  } while (L.nextIf(","));
  if (!L.current().is(Close))
    return error(L.current(), "expected ',' or '{0}' but found {1}", Close, describe(L.current()));
  LastEnd = L.next().Text.end();
  return true;
}

bool Parser::explain(const std::optional<schema::Explanation> &Why) {
  if (!Why)
    return false;
  size_t At = Why->At.data() ? Why->At.data() - Text.data() : Text.size();
  Errors.push_back({finding::RegisteredSchema, At, Why->At.size(), Why->Message});
  if (!Why->Suggestion.empty())
    Errors.back().suggest(Why->Replaced.data() - Text.data(), Why->Replaced.size(),
                          Why->Suggestion);
  return true;
}

/// Replaces the error about the argument at \p Begin by what is known to be meant, and adds the
/// same for the arguments and returns after it: all of a schema that is written in another
/// language.
void Parser::explainRest(size_t Before, const char *Begin) {
  StringRef Rest = Text.drop_front(Begin - Text.data());
  StringRef Args = Rest.take_front(schema::findOutside(Rest, ")"));
  bool IsFirst = true;
  for (StringRef Piece : schema::splitOutside(Args, ',')) {
    std::optional<schema::Explanation> Why = Foreign.explainArgument(Piece);
    if (IsFirst) {
      if (!Why)
        return;
      Errors.resize(Before, {FindingId(), 0, 0, ""});
    }
    IsFirst = false;
    explain(Why);
  }
  StringRef End = Rest.drop_front(Args.size());
  if (End.consume_front(")") && End.ltrim().consume_front("->"))
    explain(Foreign.explainReturns(End.ltrim().drop_front(2)));
  suggestTogether(Before);
}

/// One of several suggestions would leave the others' errors, and could not be verified: each error
/// suggests all of them, if every one has a suggestion.
void Parser::suggestTogether(size_t Before) {
  MutableArrayRef<SchemaError> Own = MutableArrayRef(Errors).drop_front(Before);
  if (Own.size() < 2 || any_of(Own, [](const SchemaError &E) { return E.Suggestion.empty(); }))
    return;
  size_t From = Own.front().SuggestionOffset, At = From;
  std::string All;
  for (const SchemaError &E : Own) {
    All += Text.slice(At, E.SuggestionOffset).str() + E.Suggestion;
    At = E.SuggestionOffset + E.SuggestionLength;
  }
  for (SchemaError &E : Own)
    E.suggest(From, At - From, All);
}

bool Parser::parseName(FunctionSchema &Out) {
  const char *Begin = L.current().Text.begin();
  Token Word;
  if (L.current().Is == Token::End)
    return error(L.current(), "the schema is empty; expected '{0}'",
                 "name.overload(Tensor self) -> Tensor");
  if (L.current().is("def") && L.lookahead().Is == Token::Ident) {
    error(L.current(), "a schema starts with the operator's name, not with 'def'");
    StringRef Name = L.lookahead().Text;
    Errors.back().suggest(Begin - Text.data(), Name.end() - Begin, Name);
    return false;
  }
  if (Foreign.isType(L.current().Text) && L.lookahead().Is == Token::Ident)
    return error(L.current(),
                 "a schema starts with the operator's name, and the return type comes last, as in "
                 "'{0}(Tensor self) -> {1}'",
                 L.lookahead().Text, L.current().Text);
  if (!expectIdent("the name of an operator", Word))
    return false;
  StringRef Namespace;
  if (L.nextIf(":")) {
    Namespace = Word.Text;
    if (!expect(":") || !expectIdent("the name of an operator", Word))
      return false;
  }
  Out.Name.Name = BaseOperatorName::of(Word.Text);
  Out.Name.Name.Namespace = Namespace.str();
  if (L.nextIf(".")) {
    if (!expectIdent("the name of an overload", Word))
      return false;
    if (Word.Text == "default" || Word.Text.starts_with("__"))
      return error(Word, "'{0}' cannot be the name of an overload, because libtorch reserves it",
                   Word.Text);
    Out.Name.Overload = Word.Text.str();
  }
  Out.NameAt = range(Begin);
  return true;
}

bool Parser::parseAliasSets(std::string &Out) {
  do {
    Token Word;
    if (L.current().is("*")) {
      LastEnd = L.next().Text.end();
      Out = "*";
    } else if (Out != "*") {
      if (!expectIdent("the name of an alias set", Word))
        return false;
      Out += (Out.empty() ? "" : "|") + Word.Text.str();
    }
  } while (L.nextIf("|"));
  return true;
}

/// "b|a|a" => "a|b".
static std::string sortedSets(StringRef Written) {
  SmallVector<StringRef, 2> Sets = aliasSets(Written);
  sort(Sets);
  Sets.erase(llvm::unique(Sets), Sets.end());
  return join(Sets, "|");
}

static std::string comparedText(const AliasAnnotation &Alias) {
  std::string Before = sortedSets(Alias.Before);
  return Before + (Alias.IsWrite ? "!" : "") + " -> " +
         (Alias.After.empty() ? Before : sortedSets(Alias.After));
}

bool Parser::parseAlias(Marks &Out) {
  AliasAnnotation Alias;
  if (L.nextIf("!")) {
    Out.Alias = AliasAnnotation{"!", true, ""};
    Out.Compared = "$" + std::to_string(NumFresh++) + "!";
    return true;
  }
  if (!L.nextIf("("))
    return true;
  if (!parseAliasSets(Alias.Before))
    return false;
  Alias.IsWrite = L.nextIf("!");
  if (L.nextIf("->") && !parseAliasSets(Alias.After))
    return false;
  Out.Compared = comparedText(Alias);
  Out.Alias = std::move(Alias);
  return expect(")");
}

/// That of a list takes the place of its element's.
bool Parser::parseContainerAlias(Marks &Out) {
  Marks Container;
  if (!parseAlias(Container))
    return false;
  if (Out.Alias) {
    if (!Container.Alias)
      Container = {Out.Alias, Out.Alias->IsWrite ? "!" : ""};
    Container.Compared += "{" + Out.Compared + "}";
  }
  Out = std::move(Container);
  return true;
}

/// A type inside of another one.
bool Parser::parseElement(Type &Out) {
  Marks Unused;
  if (!checkDepth(++Depth))
    return false;
  bool Ok = parseType(Out, Unused);
  --Depth;
  return Ok;
}

/// Deeper ones fill the stack, of libtorch as of opsig.
bool Parser::checkDepth(unsigned Levels) {
  constexpr unsigned MaxDepth = 5000;
  return Levels <= MaxDepth ||
         error(L.current(), "types cannot be nested more than {0} times", MaxDepth);
}

bool Parser::parseClassType(Type &Out) {
  Token Word;
  for (StringRef Part : {"torch", "classes"}) {
    if (!expect(".") || !expectIdent("'" + Part.str() + "'", Word))
      return false;
    if (Word.Text != Part)
      return error(Word, "expected '{0}' but found {1}", Part, describe(Word));
  }
  Token Namespace;
  if (!expect(".") || !expectIdent("the namespace of a class", Namespace) || !expect(".") ||
      !expectIdent("the name of a class", Word))
    return false;
  Out = Type::customClass((Namespace.Text + "." + Word.Text).str());
  return true;
}

/// The base types that every release has.
static constexpr StringLiteral BaseTypes[] = {
    "Generator", "ScalarType", "Layout", "MemoryFormat", "Storage", "QScheme",      "Quantizer",
    "Device",    "Stream",     "Scalar", "str",          "float",   "complex",      "int",
    "SymInt",    "bool",       "Any",    "Capsule",      "Tensor",  "AnyClassType", "AnyEnumType"};

/// A lower case name that is no type. A known type may be meant, but a variable with a similar name
/// is possible, so that a typo is not corrected.
bool Parser::parseVariable(const Token &Word, Type &Out) {
  std::optional<schema::ForeignType> Meant = Foreign.translate(Word.Text);
  std::string Suggestion = Meant && Meant->IsCertain ? Meant->Schema : "";
  std::string Hint = Meant ? "; did you mean '" + Meant->Schema + "'?"
                           : didYouMean(Word.Text, std::vector<StringRef>(std::begin(BaseTypes),
                                                                          std::end(BaseTypes)));
  if (Word.Text == "void") {
    Suggestion = InReturns ? "()" : "";
    Hint = "; write '()' for no return value";
  }
  if (!Rules.TypeVariables && !Text.starts_with("aten::") && !Text.starts_with("prim::")) {
    error(Word, "unknown type '{0}'{1}", Word.Text, Hint);
    Errors.back().suggest(Suggestion);
    return false;
  }
  Out = Type::variable(Word.Text);
  remark(finding::RegisteredTypeVariable, Word, "unknown type '{0}' is read as a type variable{1}",
         Word.Text, Hint);
  Remarks.back().suggest(Suggestion);
  return true;
}

bool Parser::isKnown(StringRef Name) const {
  return is_contained(BaseTypes, Name) || (Name == "SymBool" && G.SymBoolInStrings) ||
         (Name == "Dimname" && G.allows(BaseTy::Dimname)) || Name == "ConstQuantizerPtr" ||
         (Name == "DeviceIndex" && G.allows(BaseTy::DeviceIndex));
}

bool Parser::parseBaseType(Type &Out) {
  Token Word = L.current();
  if (Word.is("None") || Word.is("NoneType")) {
    LastEnd = L.next().Text.end();
    Out = BaseTy::None;
    return true;
  }
  if (L.current().Is == Token::Number)
    return error(
        L.current(),
        "expected a type but found {0}; each argument needs a type and a name, such as 'int n'",
        describe(L.current()));
  if (!expectIdent("a type", Word))
    return false;
  if (isKnown(Word.Text)) {
    Out = Type::named(Word.Text);
    return true;
  }
  if (isLower(Word.Text.front()))
    return parseVariable(Word, Out);
  std::vector<StringRef> Names(std::begin(BaseTypes), std::end(BaseTypes));
  error(Word, "unknown type '{0}'{1}", Word.Text, didYouMean(Word.Text, Names));
  Errors.back().suggest(onlyCorrection(Word.Text, Names));
  return false;
}

bool Parser::parseType(Type &Out, Marks &Alias) {
  Token Word = L.current();
  auto WordOf = [&](StringRef Spelling) {
    if (L.current().Is != Token::Ident || L.current().Text != Spelling)
      return false;
    LastEnd = L.next().Text.end();
    return true;
  };
  std::vector<Type> Elements;
  auto Element = [&] { return parseElement(Elements.emplace_back()); };
  if (L.current().is("(")) {
    L.next();
    if (!list(")", Element))
      return false;
    Out = Type::of(BaseTy::Tuple, std::move(Elements));
  } else if (bool IsFuture = WordOf("Future"), IsAwait = Rules.Awaits && WordOf("Await");
             IsFuture || IsAwait || WordOf("RRef")) {
    if (!expect("(") || !Element() || !expect(")"))
      return false;
    Out = Type::of(IsFuture  ? BaseTy::Future
                   : IsAwait ? BaseTy::Await
                             : BaseTy::RRef,
                   std::move(Elements));
  } else if (WordOf("Dict")) {
    if (!expect("(") || !Element() || !expect(",") || !Element() || !expect(")") ||
        !parseAlias(Alias))
      return false;
    Out = Type::of(BaseTy::Dict, std::move(Elements));
  } else if (WordOf("Union")) {
    if (!expect("(") || !Element())
      return false;
    while (!L.current().is(")"))
      if (!expect(",") || !Element())
        return false;
    if (!expect(")"))
      return false;
    Out = Type::of(BaseTy::Union, std::move(Elements));
    std::vector<Type> Members = membersOf(Out);
    if (Members.size() == 1 && !Members.front().is(BaseTy::Scalar))
      return error(Word, "'Union' needs at least two different types");
    // One type or None is an optional type.
    if (Members.size() == 2 && Members.back().is(BaseTy::None))
      Out = Members.front().optional();
    else if (Members.size() == 2 && Members.front().is(BaseTy::None))
      Out = Members.back().optional();
    if (!parseAlias(Alias))
      return false;
  } else if (WordOf("__torch__")) {
    if (!parseClassType(Out))
      return false;
  } else if (!parseBaseType(Out) || !parseAlias(Alias)) {
    return false;
  }
  for (unsigned Levels = Depth; checkDepth(Levels); ++Levels) {
    if (L.current().is("[") && L.lookahead().is("]")) {
      L.next();
      LastEnd = L.next().Text.end();
      Out.wrap({TypeSuffix::List});
      if (!parseContainerAlias(Alias))
        return false;
    } else if (L.current().is("?")) {
      LastEnd = L.next().Text.end();
      // An optional of an optional is one.
      if (!Out.isOptional())
        Out.wrap({TypeSuffix::Optional});
    } else {
      return true;
    }
  }
  return false;
}

bool Parser::parseArgument(Argument &Out, bool IsReturn) {
  const char *Begin = L.current().Text.begin();
  Marks Alias;
  if (!parseType(Out.Ty, Alias))
    return false;
  std::optional<uint32_t> ListSize;
  if (L.nextIf("[")) {
    Token Size;
    if (!expectNumber(Size))
      return false;
    int64_t N = 0;
    StringRef Digits = Size.Text.take_while(isDigit);
    if (Digits.empty() || Digits.getAsInteger(10, N))
      return error(Size, "'{0}' cannot be the size of a list", Size.Text);
    ListSize = uint32_t(std::min<int64_t>(N, UINT32_MAX));
    Out.Ty.wrap({TypeSuffix::List, *ListSize});
    if (!expect("]") || !parseContainerAlias(Alias))
      return false;
    if (L.current().is("?")) {
      LastEnd = L.next().Text.end();
      Out.Ty.wrap({TypeSuffix::Optional});
    }
  }
  Out.TypeAt = range(Begin);
  Out.Annotation = std::move(Alias.Alias);
  ComparedArgument &Compared = (IsReturn ? Returns : Args).emplace_back();
  Compared.Marks = std::move(Alias.Compared);
  Token Name = L.current();
  if (IsReturn) {
    if (Name.Is == Token::Ident) {
      Out.Name = Name.Text.str();
      Begin = Name.Text.begin();
      LastEnd = L.next().Text.end();
      Out.NameAt = range(Begin);
    }
    return true;
  }
  if (!expectIdent("the name of an argument", Name))
    return false;
  Out.Name = Name.Text.str();
  Out.NameAt = range(Name.Text.begin());
  if (!L.nextIf("="))
    return true;
  Begin = L.current().Text.begin();
  if (!parseDefault(Out.Ty.dispatched(), ListSize))
    return false;
  Out.DefaultAt = range(Begin);
  Out.Default = text(Out.DefaultAt).str();
  Compared.Default = Value;
  return true;
}

bool Parser::parseArguments(FunctionSchema &Out) {
  std::optional<unsigned> NumPositional;
  std::optional<Token> Marker;
  size_t Before = Errors.size();
  const char *Begin = nullptr;
  bool Ok = list(")", [&] {
    Token First = L.current();
    Begin = First.Text.begin();
    if (Out.VarArgs)
      return error(First, "'...' must be the last argument");
    if (L.nextIf("*")) {
      if (NumPositional)
        remark(finding::RegisteredMarker, First, "only the first '*' has an effect");
      else
        NumPositional = Out.Args.size();
      Marker = First;
      return true;
    }
    Marker.reset();
    if (L.nextIf("...")) {
      Out.VarArgs = true;
      return true;
    }
    return parseArgument(Out.Args.All.emplace_back(), /*IsReturn=*/false);
  });
  if (!Ok) {
    if (Begin)
      explainRest(Before, Begin);
    return false;
  }
  Out.Args.NumPositional = NumPositional.value_or(Out.Args.size());
  ArrayRef<Argument> Keyword = Out.Args.all().drop_front(Out.Args.NumPositional);
  while (!Keyword.empty() && Keyword.back().isWrite()) {
    Keyword = Keyword.drop_back();
    ++Out.Args.NumOut;
  }
  schema::groupArguments(Out.Args, [](unsigned) {});
  if (Marker)
    remark(finding::RegisteredMarker, *Marker, "expected a keyword-only argument after '*'");
  if (Out.VarArgs)
    for (const Argument &A : Out.Args.All)
      if (A.Default)
        return error({Token::Ident, text(A.DefaultAt)},
                     "an operator with '...' cannot have defaults");
  return true;
}

/// What follows the ')' of the arguments.
bool Parser::parseArrowAndReturns(FunctionSchema &Out) {
  size_t Before = Errors.size();
  const Token &Arrow = L.current();
  StringRef Rest = Text.drop_front(Arrow.Text.data() - Text.data());
  if (!Arrow.is("->")) {
    bool IsApart = LastEnd && LastEnd != Arrow.Text.data();
    if (explain(Foreign.explainArrow(IsApart ? StringRef(LastEnd, Text.end() - LastEnd) : Rest)))
      return false;
  }
  if (!expect("->"))
    return false;
  InReturns = true;
  StringRef Written = Rest.drop_front(2);
  if (parseReturns(Out) && parseEnd())
    return true;
  if (std::optional<schema::Explanation> Better = Foreign.explainReturns(Written)) {
    Errors.resize(Before, {FindingId(), 0, 0, ""});
    explain(Better);
  }
  return false;
}

bool Parser::parseEnd() {
  if (L.current().Is == Token::NewLine)
    L.next();
  return L.current().Is == Token::End ||
         error(L.current(), "unexpected {0} after the schema", describe(L.current()));
}

bool Parser::parseReturns(FunctionSchema &Out) {
  if (L.nextIf("...")) {
    Out.VarReturns = true;
    return true;
  }
  if (!L.current().is("("))
    return parseArgument(Out.Returns.emplace_back(), /*IsReturn=*/true);
  L.next();
  return list(")", [&] {
    if (Out.VarReturns)
      return error(L.current(), "'...' must be the last return");
    if (L.nextIf("...")) {
      Out.VarReturns = true;
      return true;
    }
    return parseArgument(Out.Returns.emplace_back(), /*IsReturn=*/true);
  });
}

/// A positional argument without default behind one that has one; lists are let through.
bool Parser::checkOrder(const FunctionSchema &Schema) {
  const Argument *Default = nullptr;
  for (const Argument &A : Schema.Args.positional()) {
    if (A.Default)
      Default = &A;
    else if (Default && !A.Ty.isList())
      return error({Token::Ident, text(A.NameAt)},
                   "'{0}' needs a default, because '{1}' before it has one", A.Name, Default->Name);
  }
  return true;
}

void Parser::remarkNames(ArrayRef<Argument> List, StringRef What) {
  StringSet<> Seen;
  for (const Argument &A : List)
    if (!A.Name.empty() && !Seen.insert(A.Name).second)
      remark(finding::RegisteredNameTwice, {Token::Ident, text(A.NameAt)},
             "two {0}s are named '{1}'; rename one", What, A.Name);
}

bool Parser::parse(FunctionSchema &Out) {
  if (!parseName(Out))
    return false;
  if (!L.current().is("(")) {
    Out.NameOnly = true;
    return parseEnd();
  }
  L.next();
  if (!parseArguments(Out) || !parseArrowAndReturns(Out) || !checkOrder(Out))
    return false;
  remarkNames(Out.Args.All, "argument");
  remarkNames(Out.Returns, "return");
  return true;
}

std::optional<FunctionSchema> opsig::parseScriptSchema(StringRef Text, const Grammar &G,
                                                       const ScriptRules &Rules,
                                                       SchemaErrors &Errors,
                                                       SchemaErrors &Remarks) {
  FunctionSchema Out;
  size_t Before = Remarks.size();
  if (Parser(Text, G, Rules, Errors, Remarks).parse(Out))
    return Out;
  // What was strange before the error may be a part of it.
  Remarks.resize(Before, {FindingId(), 0, 0, ""});
  return std::nullopt;
}

std::optional<ComparedSchema> opsig::parseComparedSchema(StringRef Text, const Grammar &G,
                                                         const ScriptRules &Rules) {
  SchemaErrors Errors, Remarks;
  Parser Of(Text, G, Rules, Errors, Remarks);
  ComparedSchema Out;
  if (!Of.parse(Out.Schema))
    return std::nullopt;
  Out.Args = Of.takeArgs();
  Out.Returns = Of.takeReturns();
  return Out;
}
