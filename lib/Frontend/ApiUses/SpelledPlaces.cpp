//===- SpelledPlaces.cpp - source ranges as they are spelled ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ApiUses/UsesInternal.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace opsig;
using namespace clang;

/// Where its tokens stand in a file: what a macro makes of other tokens stands nowhere.
SourceLocation SpelledPlaces::spelled(SourceLocation At) const {
  return At.isMacroID() ? SM.getSpellingLoc(At) : At;
}

/// Where that is written in the source as Clang reads it: in a file, or in the expansion of a body
/// of a macro. What is an argument there is where the argument is given.
SourceLocation SpelledPlaces::written(SourceLocation At) const {
  while (SM.isMacroArgExpansion(At))
    At = SM.getImmediateSpellingLoc(At);
  return At;
}

bool SpelledPlaces::isInMacroBody(SourceLocation At) const { return written(At).isMacroID(); }

SourceRange SpelledPlaces::inBody(FileID Body, SourceRange Range) const {
  // IsEdge(At, Param): whether an argument begins or ends there, and the parameter it is for.
  auto Lift = [&](SourceLocation At, auto IsEdge) {
    for (; SM.getFileID(At) != Body; At = SM.getImmediateSpellingLoc(At)) {
      SourceLocation Param;
      if (!SM.isMacroArgExpansion(At))
        return SourceLocation();
      if (IsEdge(At, Param) && SM.getFileID(Param) == Body)
        return Param;
    }
    return At;
  };
  const unsigned Last =
      Lexer::MeasureTokenLength(spelled(Range.getEnd()), SM, Context.getLangOpts());
  auto IsBegin = [&](SourceLocation At, SourceLocation &Param) {
    return SM.isAtStartOfImmediateMacroExpansion(At, &Param);
  };
  auto IsEnd = [&](SourceLocation At, SourceLocation &Param) {
    return SM.isAtEndOfImmediateMacroExpansion(At.getLocWithOffset(Last), &Param);
  };
  return {Lift(Range.getBegin(), IsBegin), Lift(Range.getEnd(), IsEnd)};
}

Span SpelledPlaces::spanBeside(SourceLocation Next, SourceRange Range) {
  if (Range.isInvalid() || !isInMacroBody(Next))
    return span(Range);
  return span(inBody(SM.getFileID(written(Next)), Range));
}

Span SpelledPlaces::span(SourceRange Range) {
  if (Range.isInvalid())
    return {};
  SourceLocation Begin = spelled(Range.getBegin()), End = spelled(Range.getEnd());
  if (!Project.contain(Begin) || !Project.contain(End))
    return {};
  auto [BeginFile, BeginOffset] = SM.getDecomposedLoc(Begin);
  auto [EndFile, EndOffset] = SM.getDecomposedLoc(End);
  if (BeginFile != EndFile || EndOffset < BeginOffset)
    return {};
  // What begins in a macro's body and ends in one of its arguments is no piece of text.
  if (isInMacroBody(Range.getBegin()) != isInMacroBody(Range.getEnd()))
    return {};
  Span Out = Spans.byte(Begin);
  if (!Out.isValid())
    return {};
  unsigned Last = Lexer::MeasureTokenLength(End, SM, Context.getLangOpts());
  Out.Length = EndOffset + Last - BeginOffset;
  return Out;
}

namespace {

/// The tokens of a file from an offset on.
class TokenWalk {
public:
  TokenWalk(StringRef Text, SourceLocation FileBegin, const LangOptions &Options, size_t Offset)
      : Lex(FileBegin, Options, Text.begin(), Text.begin() + Offset, Text.end()), Text(Text) {}

  bool next(Token &Tok) {
    Lex.LexFromRawLexer(Tok);
    return Tok.isNot(tok::eof);
  }

private:
  Lexer Lex;
  StringRef Text;
};

bool opens(const Token &T) { return T.isOneOf(tok::l_paren, tok::l_brace, tok::l_square); }
bool closes(const Token &T) { return T.isOneOf(tok::r_paren, tok::r_brace, tok::r_square); }

} // namespace

Span SpelledPlaces::between(SourceLocation Open, SourceLocation Close) {
  Span Begin = span(SourceRange(Open, Open)), End = span(SourceRange(Close, Close));
  if (!Begin.isValid() || !End.isValid() || Begin.File != End.File || End.Offset < Begin.end())
    return {};
  return {Begin.File, Begin.end(), End.Offset - Begin.end()};
}

Span SpelledPlaces::argumentsOf(SourceLocation Name) {
  Name = spelled(Name);
  if (!Project.contain(Name))
    return {};
  auto [File, Offset] = SM.getDecomposedLoc(Name);
  StringRef Text = SM.getBufferData(File);
  TokenWalk Walk(Text, SM.getLocForStartOfFile(File), Context.getLangOpts(), Offset);
  Token Tok;
  if (!Walk.next(Tok) || !Walk.next(Tok) || Tok.isNot(tok::l_paren))
    return {};
  SourceLocation Open = Tok.getLocation();
  for (unsigned Depth = 1; Walk.next(Tok);) {
    Depth += opens(Tok);
    Depth -= closes(Tok);
    if (Depth == 0)
      return between(Open, Tok.getLocation());
  }
  return {};
}

Span SpelledPlaces::parenthesized(SourceLocation After) {
  After = spelled(After);
  if (After.isInvalid() || !Project.contain(After))
    return {};
  return argumentsOf(After);
}

std::vector<Span> SpelledPlaces::split(Span List) {
  std::vector<Span> Parts;
  // A text of its own: only offsets are wanted, and a lexer reads up to a null.
  std::string Text = Spans.text(List).str();
  const char *Start = Text.c_str();
  Lexer Lex(SourceLocation(), Context.getLangOpts(), Start, Start, Start + Text.size());
  unsigned Depth = 0;
  std::optional<uint32_t> Begin;
  uint32_t End = 0;
  auto Put = [&] {
    if (Begin)
      Parts.push_back({List.File, List.Offset + *Begin, End - *Begin});
    Begin.reset();
  };
  Token Tok;
  for (Lex.LexFromRawLexer(Tok); Tok.isNot(tok::eof); Lex.LexFromRawLexer(Tok)) {
    uint32_t At = Lex.getBufferLocation() - Start - Tok.getLength();
    if (Depth == 0 && Tok.is(tok::comma)) {
      Put();
      continue;
    }
    Depth += opens(Tok);
    Depth -= closes(Tok) && Depth;
    if (!Begin)
      Begin = At;
    End = At + Tok.getLength();
  }
  Put();
  return Parts;
}
