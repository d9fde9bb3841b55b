//===- ScriptParser.cpp - libtorch's schema strings --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
    return error(Out, "'{0}' is a keyword of TorchScript and cannot be {1}", Out.Text, What);
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
  if (!L.current().is(Close))
    do {
      if (!Element())
        return false;
    } while (L.nextIf(","));
  return expect(Close);
}

bool Parser::parseName(ScriptSchema &Out) {
  const char *Begin = L.current().Text.begin();
  Token Word;
  if (!expectIdent("the name of an operator", Word))
    return false;
  Out.Name = Word.Text.str();
  if (L.nextIf(":")) {
    if (!expect(":") || !expectIdent("the name of an operator", Word))
      return false;
    Out.Namespace = std::exchange(Out.Name, Word.Text.str());
  }
  if (L.nextIf(".")) {
    if (!expectIdent("the name of an overload", Word))
      return false;
    if (Word.Text == "default" || Word.Text.starts_with("__"))
      return error(Word, "'{0}' cannot be the name of an overload", Word.Text);
    Out.Overload = Word.Text.str();
  }
  Out.NameAt = range(Begin);
  return true;
}

bool Parser::parseAliasSet(std::vector<std::string> &Out) {
  do {
    Token Word;
    if (L.current().is("*")) {
      LastEnd = L.next().Text.end();
      Out = {"*"};
    } else if (!is_contained(Out, "*")) {
      if (!expectIdent("the name of an alias set", Word))
        return false;
      Out.push_back(Word.Text.str());
    }
  } while (L.nextIf("|"));
  return true;
}

bool Parser::parseAlias(std::optional<ScriptAlias> &Out) {
  ScriptAlias Alias;
  if (L.nextIf("!")) {
    Out = ScriptAlias{{"!"}, {"!"}, true};
    return true;
  }
  if (!L.nextIf("("))
    return true;
  if (!parseAliasSet(Alias.Before))
    return false;
  Alias.IsWrite = L.nextIf("!");
  if (!L.nextIf("->"))
    Alias.After = Alias.Before;
  else if (!parseAliasSet(Alias.After))
    return false;
  Out = std::move(Alias);
  return expect(")");
}

/// A type inside of another one.
bool Parser::parseElement(ScriptType &Out) {
  std::optional<ScriptAlias> Unused;
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
         error(L.current(), "types can be nested {0} times here, and not more", MaxDepth);
}

bool Parser::parseClassType(ScriptType &Out) {
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
  Out = {ScriptType::Class, (Namespace.Text + "." + Word.Text).str(), {}};
  return true;
}

/// A lower case name that is no type.
bool Parser::parseVariable(const Token &Word, ScriptType &Out) {
  static constexpr std::pair<StringLiteral, StringLiteral> Meant[] = {
      {"double", "float"},    {"int64_t", "int"},      {"int64", "int"}, {"string", "str"},
      {"string_view", "str"}, {"tensor", "Tensor"},    {"void", "()"},   {"scalar", "Scalar"},
      {"device", "Device"},   {"dtype", "ScalarType"}, {"long", "int"},  {"boolean", "bool"}};
  const auto *Found = find_if(Meant, [&](const auto &M) { return M.first == Word.Text; });
  std::string Hint =
      Found == std::end(Meant) ? "" : ("; did you mean '" + Found->second + "'?").str();
  // "()" is no type of an argument.
  std::string Suggestion = Hint.empty() || Word.Text == "void" ? "" : Found->second.str();
  if (!Rules.TypeVariables && !Text.starts_with("aten::") && !Text.starts_with("prim::")) {
    error(Word, "'{0}' is no type of the schema language{1}", Word.Text, Hint);
    Errors.back().suggest(Suggestion);
    return false;
  }
  Out = {ScriptType::Variable, Word.Text.str(), {}};
  remark(finding::RegisteredTypeVariable, Word,
         "'{0}' is no type of the schema language and counts as a type variable{1}", Word.Text,
         Hint);
  Remarks.back().suggest(Suggestion);
  return true;
}

/// The base types that every release has.
static constexpr StringLiteral BaseTypes[] = {
    "Generator", "ScalarType", "Layout", "MemoryFormat", "Storage", "QScheme",      "Quantizer",
    "Device",    "Stream",     "Scalar", "str",          "float",   "complex",      "int",
    "SymInt",    "bool",       "Any",    "Capsule",      "Tensor",  "AnyClassType", "AnyEnumType"};

bool Parser::isKnown(StringRef Name) const {
  return is_contained(BaseTypes, Name) || (Name == "SymBool" && G.SymBoolInStrings) ||
         (Name == "Dimname" && G.allows(BaseTy::Dimname)) || Name == "ConstQuantizerPtr" ||
         (Name == "DeviceIndex" && G.allows(BaseTy::DeviceIndex));
}

bool Parser::parseBaseType(ScriptType &Out) {
  Token Word = L.current();
  if (Word.is("None") || Word.is("NoneType")) {
    LastEnd = L.next().Text.end();
    Out = ScriptType::named("NoneType");
    return true;
  }
  if (!expectIdent("a type", Word))
    return false;
  if (isKnown(Word.Text)) {
    Out = ScriptType::named(StringSwitch<StringRef>(Word.Text)
                                .Case("Dimname", "str")
                                .Cases({"ConstQuantizerPtr", "DeviceIndex"}, "int")
                                .Default(Word.Text));
    return true;
  }
  if (isLower(Word.Text.front()))
    return parseVariable(Word, Out);
  std::vector<StringRef> Names(std::begin(BaseTypes), std::end(BaseTypes));
  error(Word, "unknown type '{0}'{1}", Word.Text, didYouMean(Word.Text, Names));
  Errors.back().suggest(onlyCorrection(Word.Text, Names));
  return false;
}

bool Parser::parseType(ScriptType &Out, std::optional<ScriptAlias> &Alias) {
  Token Word = L.current();
  auto WordOf = [&](StringRef Spelling) {
    if (L.current().Is != Token::Ident || L.current().Text != Spelling)
      return false;
    LastEnd = L.next().Text.end();
    return true;
  };
  auto Element = [&] { return parseElement(Out.Elements.emplace_back()); };
  if (L.current().is("(")) {
    L.next();
    Out.Is = ScriptType::Tuple;
    if (!list(")", Element))
      return false;
  } else if (bool IsFuture = WordOf("Future"), IsAwait = Rules.Awaits && WordOf("Await");
             IsFuture || IsAwait || WordOf("RRef")) {
    Out.Is = IsFuture ? ScriptType::Future : IsAwait ? ScriptType::Await : ScriptType::RRef;
    if (!expect("(") || !Element() || !expect(")"))
      return false;
  } else if (WordOf("Dict")) {
    Out.Is = ScriptType::Dict;
    if (!expect("(") || !Element() || !expect(",") || !Element() || !expect(")") ||
        !parseAlias(Alias))
      return false;
  } else if (WordOf("Union")) {
    Out.Is = ScriptType::Union;
    if (!expect("(") || !Element())
      return false;
    while (!L.current().is(")"))
      if (!expect(",") || !Element())
        return false;
    if (!expect(")"))
      return false;
    if (all_of(Out.Elements, [&](const ScriptType &T) { return T == Out.Elements[0]; }))
      return error(Word, "a Union is of two types at least");
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
      Out = ScriptType::list(std::move(Out));
      std::optional<ScriptAlias> Container;
      if (!parseAlias(Container))
        return false;
      if (Container)
        Alias = std::move(Container);
    } else if (L.current().is("?")) {
      LastEnd = L.next().Text.end();
      // An optional of an optional is one.
      if (Out.Is != ScriptType::Optional)
        Out = ScriptType::optional(std::move(Out));
    } else {
      return true;
    }
  }
  return false;
}

bool Parser::parseArgument(ScriptArgument &Out, bool IsReturn) {
  const char *Begin = L.current().Text.begin();
  if (!parseType(Out.Ty, Out.Alias))
    return false;
  if (L.nextIf("[")) {
    Token Size;
    if (!expectNumber(Size))
      return false;
    int64_t N = 0;
    StringRef Digits = Size.Text.take_while(isDigit);
    if (Digits.empty() || Digits.getAsInteger(10, N))
      return error(Size, "'{0}' cannot be the size of a list", Size.Text);
    Out.Size = N;
    if (!expect("]"))
      return false;
    Out.Ty = ScriptType::list(std::move(Out.Ty));
    std::optional<ScriptAlias> Container;
    if (!parseAlias(Container))
      return false;
    if (Container)
      Out.Alias = std::move(Container);
    if (L.current().is("?")) {
      LastEnd = L.next().Text.end();
      Out.Ty = ScriptType::optional(std::move(Out.Ty));
    }
  }
  Out.TypeAt = range(Begin);
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
  Out.HasDefault = true;
  Begin = L.current().Text.begin();
  if (!parseDefault(Out))
    return false;
  Out.DefaultAt = range(Begin);
  return true;
}

bool Parser::parseArguments(ScriptSchema &Out) {
  bool KeywordOnly = false;
  std::optional<Token> Marker;
  bool Ok = list(")", [&] {
    Token First = L.current();
    if (Out.VarArgs)
      return error(First, "'...' must be the last argument");
    if (L.nextIf("*")) {
      if (KeywordOnly)
        remark(finding::RegisteredMarker, First, "a second '*' changes nothing");
      KeywordOnly = true;
      Marker = First;
      return true;
    }
    Marker.reset();
    if (L.nextIf("...")) {
      Out.VarArgs = true;
      return true;
    }
    ScriptArgument Argument;
    if (!parseArgument(Argument, /*IsReturn=*/false))
      return false;
    Argument.KeywordOnly = KeywordOnly;
    Out.Args.push_back(std::move(Argument));
    return true;
  });
  if (!Ok)
    return false;
  if (Marker)
    remark(finding::RegisteredMarker, *Marker, "no argument follows '*'");
  if (Out.VarArgs)
    for (const ScriptArgument &Argument : Out.Args)
      if (Argument.HasDefault)
        return error(
            {Token::Ident, Text.substr(Argument.DefaultAt.Offset, Argument.DefaultAt.Length)},
            "an operator with '...' cannot have defaults");
  return true;
}

bool Parser::parseReturns(ScriptSchema &Out) {
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
bool Parser::checkOrder(const ScriptSchema &Schema) {
  const ScriptArgument *Default = nullptr;
  for (const ScriptArgument &Argument : Schema.Args) {
    if (Argument.HasDefault)
      Default = &Argument;
    else if (Default && !Argument.KeywordOnly && Argument.Ty.Is != ScriptType::List)
      return error({Token::Ident, Text.substr(Argument.NameAt.Offset, Argument.NameAt.Length)},
                   "'{0}' has no default but follows '{1}', which has one", Argument.Name,
                   Default->Name);
  }
  return true;
}

void Parser::remarkNames(const std::vector<ScriptArgument> &List, StringRef What) {
  StringSet<> Seen;
  for (const ScriptArgument &Argument : List)
    if (!Argument.Name.empty() && !Seen.insert(Argument.Name).second)
      remark(finding::RegisteredNameTwice,
             {Token::Ident, Text.substr(Argument.NameAt.Offset, Argument.NameAt.Length)},
             "a second {0} is called '{1}'", What, Argument.Name);
}

bool Parser::parse(ScriptSchema &Out) {
  if (!parseName(Out))
    return false;
  if (!L.current().is("(")) {
    Out.NameOnly = true;
  } else {
    L.next();
    if (!parseArguments(Out) || !expect("->") || !parseReturns(Out) || !checkOrder(Out))
      return false;
    remarkNames(Out.Args, "argument");
    remarkNames(Out.Returns, "return");
  }
  if (L.current().Is == Token::NewLine)
    L.next();
  if (L.current().Is == Token::End)
    return true;
  error(L.current(), "expected the end of the string but found {0}", describe(L.current()));
  if (L.current().is(",") && Out.Returns.size() == 1) { // "-> Tensor, Tensor"
    size_t From = Out.Returns[0].TypeAt.Offset;
    StringRef Returns = Text.drop_front(From).rtrim();
    Errors.back().suggest(From, Returns.size(), ("(" + Returns + ")").str());
  }
  return false;
}

std::string ScriptType::str() const {
  auto Joined = [&] {
    return join(map_range(Elements, [](const ScriptType &T) { return T.str(); }), ", ");
  };
  switch (Is) {
  case Named:
  case Variable:
    return Name;
  case Class:
    return "__torch__.torch.classes." + Name;
  case List:
    return Elements.front().str() + "[]";
  case Optional:
    return Elements.front().str() + "?";
  case Tuple:
    return "(" + Joined() + ")";
  case Dict:
    return "Dict(" + Joined() + ")";
  case Future:
    return "Future(" + Joined() + ")";
  case Await:
    return "Await(" + Joined() + ")";
  case RRef:
    return "RRef(" + Joined() + ")";
  case Union:
    return "Union(" + Joined() + ")";
  }
  llvm_unreachable("closed kind");
}

std::optional<ScriptSchema> opsig::parseScriptSchema(StringRef Text, const Grammar &G,
                                                     const ScriptRules &Rules, SchemaErrors &Errors,
                                                     SchemaErrors &Remarks) {
  ScriptSchema Out;
  size_t Before = Remarks.size();
  if (Parser(Text, G, Rules, Errors, Remarks).parse(Out))
    return Out;
  // What was strange before the error may be a part of it.
  Remarks.resize(Before, {FindingId(), 0, 0, ""});
  return std::nullopt;
}
