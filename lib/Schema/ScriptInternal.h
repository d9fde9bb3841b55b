//===- ScriptInternal.h - The steps of the parser for libtorch's strings -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text => ScriptLexer: tokens => ScriptParser: names, types, annotations, defaults =>
// FunctionSchema
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_SCHEMA_SCRIPTINTERNAL_H
#define OPSIG_LIB_SCHEMA_SCRIPTINTERNAL_H

#include "ForeignSyntax.h"
#include "opsig/Schema/Compatibility.h"
#include "opsig/Support/FindingIds.h"
#include "llvm/Support/FormatVariadic.h"

namespace opsig::script {

struct Token {
  enum Kind : uint8_t { End, NewLine, Ident, Number, String, Keyword, Symbol, Invalid } Is = End;
  llvm::StringRef Text; ///< a piece of the parsed string

  bool is(llvm::StringRef Spelling) const {
    return (Is == Symbol || Is == Keyword) && Text == Spelling;
  }
};

/// Line breaks count outside of brackets only, as in Python.
class Lexer {
public:
  explicit Lexer(llvm::StringRef Text);
  const Token &current() const { return Tokens[At]; }
  const Token &lookahead() const { return Tokens[At + 1 < Tokens.size() ? At + 1 : At]; }
  Token next();
  bool nextIf(llvm::StringRef Symbol);

private:
  std::vector<Token> Tokens; ///< ends in an End
  size_t At = 0;
};

/// The annotation of a type, and its text as libtorch compares it: with the sets in order, after
/// the call too, and with what the elements of a list have.
struct Marks {
  std::optional<AliasAnnotation> Alias;
  std::string Compared;
};

class Parser {
public:
  Parser(llvm::StringRef Text, const Grammar &G, const ScriptRules &Rules, SchemaErrors &Errors,
         SchemaErrors &Remarks)
      : Text(Text), G(G), Rules(Rules), L(Text), Foreign(G, schema::Language::Script),
        Errors(Errors), Remarks(Remarks) {}

  bool parse(FunctionSchema &Out);
  /// Of the schema that was parsed.
  std::vector<ComparedArgument> takeArgs() { return std::move(Args); }
  std::vector<ComparedArgument> takeReturns() { return std::move(Returns); }

private:
  // Each returns false after an error, which ends the parse.
  bool parseName(FunctionSchema &Out);
  bool parseArguments(FunctionSchema &Out);
  bool parseArrowAndReturns(FunctionSchema &Out);
  bool parseReturns(FunctionSchema &Out);
  bool parseEnd();
  bool parseArgument(Argument &Out, bool IsReturn);
  bool parseType(Type &Out, Marks &Alias);
  bool parseElement(Type &Out);
  bool parseBaseType(Type &Out);
  bool checkDepth(unsigned Levels);
  bool parseVariable(const Token &Word, Type &Out);
  /// A base type that the release has.
  bool isKnown(llvm::StringRef Name) const;
  bool parseClassType(Type &Out);
  bool parseAlias(Marks &Out);
  bool parseContainerAlias(Marks &Out);
  bool parseAliasSets(std::string &Out);
  bool parseDefault(const Type &Ty, std::optional<uint32_t> Size);
  bool checkOrder(const FunctionSchema &Schema);
  void remarkNames(llvm::ArrayRef<Argument> List, llvm::StringRef What);

  // ScriptDefault.cpp
  enum class Constant : uint8_t { None, Bool, Int, Float, Complex, String };
  bool parseConstant(const Type &Ty, Constant &Out);
  bool parseConstants(const Type &Element, std::optional<uint32_t> Size);
  bool parseListDefault(const Type &Element, std::optional<uint32_t> Size);
  bool parseDevice();
  bool fitsList(const Type &Element, Constant Value, const Token &At);
  void remarkDefault(const Type &Ty, Constant Value, const Token &At);

  /// Reports \p Why; returns whether there is one.
  bool explain(const std::optional<schema::Explanation> &Why);
  void explainRest(size_t Before, const char *Begin);
  void suggestTogether(size_t Before);

  bool expect(llvm::StringRef Symbol);
  bool expectIdent(llvm::StringRef What, Token &Out);
  bool expectNumber(Token &Out);
  bool list(llvm::StringRef Close, llvm::function_ref<bool()> Element);

  template <typename... Ts> bool error(const Token &At, const char *Format, Ts &&...Values) {
    Errors.push_back(at(finding::RegisteredSchema, At, Format, std::forward<Ts>(Values)...));
    return false;
  }
  template <typename... Ts>
  void remark(FindingId Id, const Token &At, const char *Format, Ts &&...Values) {
    Remarks.push_back(at(Id, At, Format, std::forward<Ts>(Values)...));
  }
  template <typename... Ts>
  SchemaError at(FindingId Id, const Token &At, const char *Format, Ts &&...Values) const {
    return {Id, size_t(At.Text.data() - Text.data()), At.Text.size(),
            llvm::formatv(Format, std::forward<Ts>(Values)...).str()};
  }
  TextRange range(const char *Begin) const;
  llvm::StringRef text(TextRange At) const { return Text.substr(At.Offset, At.Length); }

  llvm::StringRef Text;
  const Grammar &G;
  const ScriptRules &Rules;
  Lexer L;
  schema::ForeignSyntax Foreign;
  SchemaErrors &Errors, &Remarks;
  std::vector<ComparedArgument> Args, Returns;
  std::string Value;     ///< of the default that was read last; equal for equal ones
  unsigned NumFresh = 0; ///< annotations without a name
  unsigned Depth = 0;    ///< of the types around the one that is being read
  bool InReturns = false;
  const char *LastEnd = nullptr; ///< where the last consumed token ends
};

/// Of an optional type or a Union: the types that its values have, without those that others of
/// them cover.
std::vector<Type> membersOf(const Type &T);

/// "end of the string", "a number", "'x'".
std::string describe(const Token &T);

} // namespace opsig::script

#endif
