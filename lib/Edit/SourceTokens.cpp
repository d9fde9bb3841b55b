//===- SourceTokens.cpp - words and brackets of a source ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Edit/SourceTokens.h"

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

void opsig::forEachToken(llvm::StringRef Text,
                         llvm::function_ref<bool(const SourceToken &)> Visit) {
  // The lexer needs a zero behind the text.
  std::string Owned = Text.str();
  Lexer Lex(SourceLocation::getFromRawEncoding(2), languageOfTokens(), Owned.data(), Owned.data(),
            Owned.data() + Owned.size());
  Token Tok;
  for (Lex.LexFromRawLexer(Tok); Tok.isNot(tok::eof); Lex.LexFromRawLexer(Tok)) {
    uint32_t Offset = Tok.getLocation().getRawEncoding() - 2;
    SourceToken New{SourceToken::Other, Offset, Text.substr(Offset, Tok.getLength())};
    if (Tok.is(tok::raw_identifier))
      New.Is = SourceToken::Word;
    else if (tok::getPunctuatorSpelling(Tok.getKind()))
      New.Is = SourceToken::Punctuation;
    if (!Visit(New))
      return;
  }
}

std::vector<SourceToken> opsig::tokensOf(llvm::StringRef Text) {
  std::vector<SourceToken> Out;
  forEachToken(Text, [&](const SourceToken &T) {
    Out.push_back(T);
    return true;
  });
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
    if (Tok.opens()) {
      ++Depth;
    } else if (Tok.closes()) {
      if (--Depth != 0)
        continue;
      if (Tok.Text != ")")
        return std::nullopt;
      if (I != Name + 2)
        End(Tok.Offset);
      Out.End = Tok.end();
      return Out;
    } else if (Tok.isComma() && Depth == 1) {
      End(Tok.Offset);
      Begin = Tok.end();
    }
  }
  return std::nullopt;
}

llvm::StringRef opsig::bracketed(llvm::StringRef Text) {
  int Depth = 0;
  uint32_t End = 0;
  forEachToken(Text, [&](const SourceToken &T) {
    Depth += T.opens() - T.closes();
    End = T.end();
    return Depth > 0;
  });
  return Depth == 0 ? Text.take_front(End) : "";
}

std::optional<uint32_t> opsig::braceAround(llvm::StringRef Text, uint32_t Offset) {
  std::vector<uint32_t> Open;
  forEachToken(Text.take_front(Offset), [&](const SourceToken &T) {
    if (T.opens() && T.Text == "{")
      Open.push_back(T.Offset);
    else if (T.closes() && T.Text == "}" && !Open.empty())
      Open.pop_back();
    return true;
  });
  return Open.empty() ? std::nullopt : std::optional(Open.back());
}

std::optional<std::vector<llvm::StringRef>> opsig::commaSeparated(llvm::StringRef Text,
                                                                  bool OnlyParentheses) {
  std::vector<llvm::StringRef> Out;
  int Depth = 0;
  uint32_t Begin = 0;
  bool Matches = true;
  forEachToken(Text, [&](const SourceToken &T) {
    if (!OnlyParentheses || T.Text == "(" || T.Text == ")")
      Depth += T.opens() - T.closes();
    if (T.isComma() && Depth == 0) {
      Out.push_back(Text.slice(Begin, T.Offset).trim());
      Begin = T.end();
    }
    return Matches = Depth >= 0;
  });
  if (!Matches || Depth != 0)
    return std::nullopt;
  if (llvm::StringRef Last = Text.drop_front(Begin).trim(); !Last.empty())
    Out.push_back(Last);
  return Out;
}

std::vector<ConditionalLines> opsig::conditionalLines(llvm::StringRef Text) {
  std::vector<ConditionalLines> Out;
  std::vector<size_t> Open;
  for (uint32_t At = 0; At < Text.size();) {
    const uint32_t End = uint32_t(std::min(Text.find('\n', At), Text.size() - 1) + 1);
    llvm::StringRef Line = Text.slice(At, End).trim(), Word = Line;
    const bool IsDirective = Word.consume_front("#");
    Word = Word.ltrim();
    if (IsDirective && Word.starts_with("if")) {
      Open.push_back(Out.size());
      Out.push_back({At, uint32_t(Text.size()), Line, {}});
    } else if (IsDirective && !Open.empty() && Word.starts_with("el")) {
      Out[Open.back()].Branches.push_back(At);
    } else if (IsDirective && !Open.empty() && Word.starts_with("endif")) {
      Out[Open.back()].End = End;
      Open.pop_back();
    }
    At = End;
  }
  return Out;
}
