//===- SourceTokens.cpp - words of a source, as rules look at them ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UpgradeInternal.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

using namespace opsig;
using namespace clang;

static const LangOptions &languageOfTokens() {
  static const LangOptions Options = [] {
    LangOptions Out;
    Out.CPlusPlus = Out.CPlusPlus11 = Out.CPlusPlus14 = Out.CPlusPlus17 = true;
    Out.LineComment = Out.RawStringLiterals = true;
    Out.CUDA = true; // "<<<"
    return Out;
  }();
  return Options;
}

std::vector<SourceToken> opsig::tokensOf(llvm::StringRef Text) {
  // The lexer needs a zero behind the text.
  std::string Owned = Text.str();
  Lexer Lex(SourceLocation::getFromRawEncoding(2), languageOfTokens(), Owned.data(), Owned.data(),
            Owned.data() + Owned.size());
  std::vector<SourceToken> Out;
  Token Tok;
  for (Lex.LexFromRawLexer(Tok); Tok.isNot(tok::eof); Lex.LexFromRawLexer(Tok)) {
    uint32_t Offset = Tok.getLocation().getRawEncoding() - 2;
    SourceToken New{SourceToken::Other, Offset, Text.substr(Offset, Tok.getLength())};
    if (Tok.is(tok::raw_identifier))
      New.Is = SourceToken::Word;
    else if (tok::getPunctuatorSpelling(Tok.getKind()))
      New.Is = SourceToken::Punctuation;
    Out.push_back(New);
  }
  return Out;
}

std::optional<TokenCall> opsig::callAt(llvm::StringRef Text, const std::vector<SourceToken> &Tokens,
                                       size_t Name) {
  if (Name + 1 >= Tokens.size() || Tokens[Name + 1].Text != "(")
    return std::nullopt;
  TokenCall Out;
  unsigned Depth = 0;
  uint32_t Begin = Tokens[Name + 1].end();
  auto End = [&](uint32_t At) { Out.Arguments.push_back(Text.slice(Begin, At).trim()); };
  for (size_t I = Name + 1; I < Tokens.size(); ++I) {
    const SourceToken &Tok = Tokens[I];
    if (Tok.Is != SourceToken::Punctuation)
      continue;
    if (Tok.Text == "(" || Tok.Text == "[" || Tok.Text == "{") {
      ++Depth;
    } else if (Tok.Text == ")" || Tok.Text == "]" || Tok.Text == "}") {
      if (--Depth != 0)
        continue;
      if (Tok.Text != ")")
        return std::nullopt;
      if (I != Name + 2)
        End(Tok.Offset);
      Out.End = Tok.end();
      return Out;
    } else if (Tok.Text == "," && Depth == 1) {
      End(Tok.Offset);
      Begin = Tok.end();
    }
  }
  return std::nullopt;
}
