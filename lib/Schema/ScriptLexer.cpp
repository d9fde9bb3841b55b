//===- ScriptLexer.cpp - words of libtorch's schema strings ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScriptInternal.h"

#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace opsig::script;
using namespace llvm;

namespace {

/// Words that TorchScript keeps for itself: no argument can be called so.
constexpr StringLiteral Keywords[] = {
    "def", "if",   "else",  "elif",   "while", "return", "is",       "True",    "False", "None",
    "and", "or",   "not",   "global", "for",   "in",     "raise",    "assert",  "break", "continue",
    "del", "pass", "class", "import", "with",  "as",     "Ellipsis", "NoneType"};

/// The longest of those that fit counts.
constexpr StringLiteral Symbols[] = {
    "<=>", "**=", "<<=", ">>=", "...", "is not", "not in", "!=", "==", "<=", ">=", "//",
    "<<",  ">>",  "+=",  "-=",  "*=",  "/=",     "%=",     "|=", "&=", "^=", "**", "->",
    "+",   "-",   "*",   "/",   "%",   "@",      "(",      ")",  "[",  "]",  ":",  ",",
    "=",   "{",   "}",   ">",   "<",   ".",      "?",      "!",  "&",  "^",  "|",  "~"};

bool isBlank(char C) { return C == ' ' || C == '\t' || C == '\r' || C == '\v' || C == '\f'; }

size_t digits(StringRef Text, size_t From, function_ref<bool(char)> IsDigit) {
  size_t To = From;
  while (To < Text.size() && IsDigit(Text[To]))
    ++To;
  return To - From;
}

/// How much of \p Text, which begins with no sign, strtod would take.
size_t numberLength(StringRef Text) {
  auto IsDecimal = [](char C) { return isDigit(C); };
  auto IsHex = [](char C) { return isHexDigit(C); };
  bool Hex = Text.size() > 2 && Text[0] == '0' && (Text[1] == 'x' || Text[1] == 'X') &&
             (isHexDigit(Text[2]) || (Text[2] == '.' && Text.size() > 3 && isHexDigit(Text[3])));
  function_ref<bool(char)> IsDigit = IsDecimal;
  if (Hex)
    IsDigit = IsHex;
  size_t At = Hex ? 2 : 0;
  size_t Whole = digits(Text, At, IsDigit);
  At += Whole;
  if (At < Text.size() && Text[At] == '.') {
    size_t Part = digits(Text, At + 1, IsDigit);
    if (Whole + Part == 0)
      return 0;
    At += 1 + Part;
  } else if (Whole == 0) {
    return 0;
  }
  StringRef Exponent = Hex ? "pP" : "eE";
  if (At < Text.size() && Exponent.contains(Text[At])) {
    size_t From = At + 1;
    if (From < Text.size() && (Text[From] == '+' || Text[From] == '-'))
      ++From;
    if (size_t Length = digits(Text, From, IsDecimal))
      At = From + Length;
  }
  if (At < Text.size() && Text[At] == 'j')
    ++At; // an imaginary number
  return At;
}

/// 0 where no string begins or it does not end.
size_t stringLength(StringRef Text) {
  char Quote = Text[0];
  if (Quote != '"' && Quote != '\'')
    return 0;
  std::string Three(3, Quote);
  StringRef Close = Text.starts_with(Three) ? StringRef(Three) : StringRef(Three).take_front(1);
  size_t At = Close.size();
  while (At < Text.size() && !Text.substr(At).starts_with(Close)) {
    if (Text[At] == '\n' && Close.size() == 1)
      return 0;
    At += Text[At] == '\\' ? 2 : 1;
  }
  return At < Text.size() ? At + Close.size() : 0;
}

Token wordOrSymbol(StringRef Text) {
  size_t Length = 0;
  if (isAlpha(Text[0]) || Text[0] == '_')
    Length = digits(Text, 0, [](char C) { return isAlnum(C) || C == '_'; });
  Token Out{Length ? Token::Ident : Token::Invalid, Text.take_front(Length ? Length : 1)};
  for (StringRef Keyword : Keywords)
    if (Out.Text == Keyword)
      Out.Is = Token::Keyword;
  for (StringRef Symbol : Symbols)
    if (Symbol.size() > Length && Text.starts_with(Symbol)) {
      Length = Symbol.size();
      Out = {Token::Symbol, Text.take_front(Length)};
    }
  return Out;
}

/// The space before the next word: how much, and whether a line began.
struct Space {
  size_t Length = 0;
  bool LineBreak = false;
  size_t Indent = 0; ///< what stands behind the last line break
};

Space spaceBefore(StringRef Text) {
  Space Out;
  while (Out.Length < Text.size()) {
    char C = Text[Out.Length];
    StringRef Rest = Text.substr(Out.Length);
    if (isBlank(C)) {
      ++Out.Length;
      ++Out.Indent;
    } else if (C == '\n') {
      ++Out.Length;
      Out.LineBreak = true;
      Out.Indent = 0;
    } else if (C == '#' && !Rest.starts_with("# type:")) {
      Out.Length += std::min(Rest.find('\n'), Rest.size());
    } else if (Rest.starts_with("\\\n") && !Out.LineBreak) {
      Out.Length += 2;
    } else {
      break;
    }
  }
  return Out;
}

} // namespace

Lexer::Lexer(StringRef Text) {
  Space First = spaceBefore(Text);
  size_t At = First.Length;
  int Nesting = 0;
  while (true) {
    if (At >= Text.size()) {
      Tokens.push_back({Token::End, Text.substr(Text.size())});
      return;
    }
    StringRef Rest = Text.substr(At);
    Token T;
    if (size_t Number =
            isAlpha(Rest[0]) || Rest[0] == '+' || Rest[0] == '-' ? 0 : numberLength(Rest))
      T = {Token::Number, Rest.take_front(Number)};
    else if (size_t String = stringLength(Rest))
      T = {Token::String, Rest.take_front(String)};
    else
      T = wordOrSymbol(Rest);
    Tokens.push_back(T);
    if (T.Is == Token::Invalid) {
      Tokens.push_back({Token::End, Text.substr(Text.size())});
      return;
    }
    if (T.is("(") || T.is("[") || T.is("{"))
      ++Nesting;
    else if (T.is(")") || T.is("]") || T.is("}"))
      --Nesting;
    At += T.Text.size();
    Space Next = spaceBefore(Text.substr(At));
    if (Next.LineBreak && Nesting <= 0) {
      bool AtEnd = At + Next.Length >= Text.size();
      // A line that is indented otherwise than the first can never go on with the schema.
      Tokens.push_back({AtEnd || Next.Indent == First.Indent ? Token::NewLine : Token::Invalid,
                        Text.substr(At, AtEnd ? 0 : 1)});
    }
    At += Next.Length;
  }
}

Token Lexer::next() {
  Token Out = current();
  if (At + 1 < Tokens.size())
    ++At;
  return Out;
}

bool Lexer::nextIf(StringRef Symbol) {
  if (!current().is(Symbol))
    return false;
  next();
  return true;
}

std::string script::describe(const Token &T) {
  switch (T.Is) {
  case Token::End:
    return "the end of the string";
  case Token::NewLine:
    return "a line break";
  case Token::Invalid:
    return T.Text.empty() || T.Text == "\n" ? "a line break" : "'" + T.Text.str() + "'";
  case Token::Keyword:
    return "the keyword '" + T.Text.str() + "'";
  default:
    return "'" + T.Text.str() + "'";
  }
}
