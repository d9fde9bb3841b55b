//===- SourceShape.cpp - where text can be put into C++ code -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SourceShapeInternal.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;
namespace tok = clang::tok;

namespace {

/// The tokens of a text from some offset on, without comments.
class TokenStream {
public:
  TokenStream(StringRef Text, size_t Offset)
      : Copy(Text.str()), Raw(clang::SourceLocation(), languageOptions(), Copy.c_str(),
                              Copy.c_str() + Offset, Copy.c_str() + Copy.size()) {}

  struct Piece {
    tok::TokenKind Is;
    size_t End;
  };
  Piece next() {
    clang::Token Tok;
    Raw.LexFromRawLexer(Tok);
    return {Tok.getKind(), size_t(Raw.getBufferLocation() - Copy.c_str())};
  }

private:
  static clang::LangOptions languageOptions() {
    clang::LangOptions Options;
    Options.CPlusPlus = Options.CPlusPlus11 = Options.CPlusPlus14 = Options.CPlusPlus17 = true;
    Options.LineComment = true;
    return Options;
  }

  std::string Copy; // the lexer needs a 0 behind it
  clang::Lexer Raw;
};

size_t lineStart(StringRef Text, size_t Offset) {
  size_t Break = Text.substr(0, Offset).rfind('\n');
  return Break == StringRef::npos ? 0 : Break + 1;
}

/// Up to the line break, or the end of the text.
size_t lineEnd(StringRef Text, size_t Offset) {
  size_t End = Text.find_first_of("\r\n", Offset);
  return End == StringRef::npos ? Text.size() : End;
}

StringRef lineOf(StringRef Text, size_t Offset) {
  return Text.slice(lineStart(Text, Offset), lineEnd(Text, Offset));
}

/// Behind a comment that follows on the same line.
size_t behindComment(StringRef Text, size_t Offset) {
  StringRef Rest = Text.slice(Offset, lineEnd(Text, Offset));
  StringRef Comment = Rest.ltrim(" \t");
  if (Comment.starts_with("//") || (Comment.starts_with("/*") && Comment.rtrim().ends_with("*/")))
    return Offset + Rest.rtrim().size();
  return Offset;
}

/// The beginning of the line of \p Offset, or of the first of the comment lines right above it.
size_t withCommentsAbove(StringRef Text, size_t Offset) {
  size_t Start = lineStart(Text, Offset);
  while (Start > 0) {
    size_t Above = lineStart(Text, Start - 1);
    if (!Text.slice(Above, Start).ltrim(" \t").starts_with("//"))
      break;
    Start = Above;
  }
  return Start;
}

/// As the file has its line breaks.
std::string withLineBreaks(std::string Added, StringRef Text) {
  if (!Text.contains("\r\n"))
    return Added;
  std::string Out;
  for (char C : Added)
    Out += C == '\n' ? "\r\n" : std::string(1, C);
  return Out;
}

StringRef breakOf(Gap G) { return G == Gap::Line ? "\n" : "\n\n"; }

/// Every line with \p Indentation before it, but empty ones.
std::string indented(StringRef Item, StringRef Indentation) {
  std::string Out;
  SmallVector<StringRef> Lines;
  Item.split(Lines, '\n');
  for (auto [I, Line] : enumerate(Lines)) {
    if (I != 0)
      Out += "\n";
    if (!Line.empty())
      Out += (Indentation + Line).str();
  }
  return Out;
}

std::string joined(ArrayRef<std::string> Items, StringRef Indentation, Gap G) {
  std::vector<std::string> Parts;
  for (const std::string &Item : Items)
    Parts.push_back(indented(Item, Indentation));
  return join(Parts, breakOf(G));
}

bool startsWithBreak(StringRef Text) { return Text.starts_with("\n") || Text.starts_with("\r\n"); }

} // namespace

StringRef opsig::indentationAt(StringRef Text, size_t Offset) {
  StringRef Line = lineOf(Text, Offset);
  return Line.take_front(Line.size() - Line.ltrim(" \t").size());
}

std::optional<size_t> opsig::endOfDeclaration(StringRef Text, size_t Offset) {
  TokenStream Tokens(Text, Offset);
  unsigned Depth = 0;
  while (true) {
    TokenStream::Piece Token = Tokens.next();
    switch (Token.Is) {
    case tok::eof:
      return std::nullopt;
    case tok::semi:
      if (Depth == 0)
        return Token.End;
      break;
    case tok::l_brace:
      ++Depth;
      break;
    case tok::r_brace:
      if (Depth == 0)
        return std::nullopt;
      if (--Depth == 0)
        return Token.End;
      break;
    default:
      break;
    }
  }
}

std::optional<size_t> opsig::endOfStatement(StringRef Text, size_t Offset) {
  TokenStream::Piece Token = TokenStream(Text, Offset).next();
  return Token.Is == tok::semi ? std::optional(Token.End) : std::nullopt;
}

Insertion opsig::insertBehind(StringRef Text, size_t Begin, size_t End, ArrayRef<std::string> Items,
                              Gap G) {
  size_t At = behindComment(Text, End);
  std::string Added = breakOf(G).str() + joined(Items, indentationAt(Text, Begin), G);
  StringRef Rest = Text.substr(At);
  if (!Rest.empty() && !startsWithBreak(Rest.ltrim(" \t")))
    Added += breakOf(G);
  return {At, withLineBreaks(std::move(Added), Text)};
}

Insertion opsig::insertBefore(StringRef Text, size_t Begin, ArrayRef<std::string> Items, Gap G) {
  StringRef Indentation = indentationAt(Text, Begin);
  bool FirstOnLine = Text.slice(lineStart(Text, Begin), Begin).trim().empty();
  size_t At = FirstOnLine ? withCommentsAbove(Text, Begin) : Begin;
  std::string Added = joined(Items, FirstOnLine ? Indentation : "", G) + breakOf(G).str();
  // Apart from what stands above, as from what follows.
  StringRef Above = Text.take_front(At).rtrim(" \t");
  if (G == Gap::EmptyLine && FirstOnLine && At > 0 && !lineOf(Text, At - 1).trim().empty() &&
      !Above.rtrim().ends_with("{"))
    Added = "\n" + Added;
  return {At, withLineBreaks(std::move(Added), Text)};
}

Insertion opsig::insertAtEnd(StringRef Text, size_t BodyBegin, size_t BodyEnd,
                             ArrayRef<std::string> Items, StringRef Indentation, Gap G) {
  StringRef Body = Text.slice(BodyBegin, BodyEnd);
  size_t Kept = Body.rtrim().size();
  std::string Added = breakOf(G).str() + joined(Items, Indentation, G);
  // At the end of the file no empty line is left over.
  if ((G == Gap::EmptyLine && BodyEnd != Text.size()) || !Body.substr(Kept).contains('\n'))
    Added += "\n";
  return {BodyBegin + Kept, withLineBreaks(std::move(Added), Text)};
}

std::pair<size_t, size_t> opsig::removalOf(StringRef Text, size_t Begin, size_t End) {
  size_t From = lineStart(Text, Begin), To = lineEnd(Text, behindComment(Text, End));
  if (!Text.slice(From, Begin).trim().empty() ||
      !Text.slice(behindComment(Text, End), To).trim().empty())
    return {Begin, End - Begin};
  if (Text.substr(To).starts_with("\r\n"))
    To += 2;
  else if (To < Text.size())
    ++To;
  return {From, To - From};
}
