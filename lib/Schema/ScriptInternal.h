//===- ScriptInternal.h - The steps of the parser for libtorch's strings -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text => ScriptLexer: tokens => ScriptParser: names, types, annotations, defaults => ScriptSchema
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_SCHEMA_SCRIPTINTERNAL_H
#define OPSIG_LIB_SCHEMA_SCRIPTINTERNAL_H

#include "opsig/Schema/ScriptSchema.h"
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

class Parser {
public:
  Parser(llvm::StringRef Text, const Grammar &G, const ScriptRules &Rules, SchemaErrors &Errors,
         SchemaErrors &Remarks)
      : Text(Text), G(G), Rules(Rules), L(Text), Errors(Errors), Remarks(Remarks) {}

  bool parse(ScriptSchema &Out);

private:
  // Each returns false after an error, which ends the parse.
  bool parseName(ScriptSchema &Out);
  bool parseArguments(ScriptSchema &Out);
  bool parseReturns(ScriptSchema &Out);
  bool parseArgument(ScriptArgument &Out, bool IsReturn);
  bool parseType(ScriptType &Out, std::optional<ScriptAlias> &Alias);
  bool parseElement(ScriptType &Out);
  bool parseBaseType(ScriptType &Out);
  bool checkDepth(unsigned Levels);
  bool parseVariable(const Token &Word, ScriptType &Out);
  /// A base type that the release has.
  bool isKnown(llvm::StringRef Name) const;
  bool parseClassType(ScriptType &Out);
  bool parseAlias(std::optional<ScriptAlias> &Out);
  bool parseAliasSet(std::vector<std::string> &Out);
  bool parseDefault(const ScriptArgument &Argument);
  bool checkOrder(const ScriptSchema &Schema);
  void remarkNames(const std::vector<ScriptArgument> &List, llvm::StringRef What);

  // ScriptDefault.cpp
  enum class Constant : uint8_t { None, Bool, Int, Float, Complex, String };
  bool parseConstant(const ScriptType &Ty, Constant &Out);
  bool parseConstants(const ScriptArgument &Argument, const ScriptType &Element);
  bool parseListDefault(const ScriptArgument &Argument, const ScriptType &Element);
  bool parseDevice();
  bool fitsList(const ScriptType &Element, Constant Value, const Token &At);
  void remarkDefault(const ScriptType &Ty, Constant Value, const Token &At);

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

  llvm::StringRef Text;
  const Grammar &G;
  const ScriptRules &Rules;
  Lexer L;
  SchemaErrors &Errors, &Remarks;
  unsigned Depth = 0;            ///< of the types around the one that is being read
  const char *LastEnd = nullptr; ///< where the last consumed token ends
};

/// "end of the string", "a number", "'x'".
std::string describe(const Token &T);

} // namespace opsig::script

#endif
