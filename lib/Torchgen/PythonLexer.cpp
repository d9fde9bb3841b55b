//===- PythonLexer.cpp - Python's tokens ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PythonDataInternal.h"
#include "llvm/ADT/StringExtras.h"

namespace opsig {

static bool isWordStart(char Ch) { return llvm::isAlpha(Ch) || Ch == '_' || (Ch & 0x80); }
static bool isWordPart(char Ch) { return isWordStart(Ch) || llvm::isDigit(Ch); }

PythonLexer::PythonLexer(llvm::StringRef Text) : At(Text.begin()), End(Text.end()) {
  if (Text.starts_with("\xEF\xBB\xBF"))
    At += 3;
}

PythonToken PythonLexer::token(PythonToken::Kind Is, const char *Begin) const {
  return {Is, Indent, Line, llvm::StringRef(Begin, At - Begin)};
}

/// To the first token of the next logical line, over lines that have none.
void PythonLexer::beginLine() {
  while (At != End) {
    Indent = 0;
    for (; At != End && (*At == ' ' || *At == '\t' || *At == '\f'); ++At)
      ++Indent;
    if (At != End && *At == '#')
      while (At != End && *At != '\n')
        ++At;
    while (At != End && *At == '\r')
      ++At;
    if (At == End || *At != '\n')
      break;
    ++Line;
    ++At;
  }
  InLine = At != End;
}

/// Over blanks and comments; within brackets and behind a backslash over ends of lines, too.
void PythonLexer::skipBlanks() {
  while (At != End) {
    if (*At == '#') {
      while (At != End && *At != '\n')
        ++At;
    } else if (*At == '\n') {
      if (!Depth)
        return;
      ++Line;
      ++At;
    } else if (*At == '\\' && End - At > 1 && (At[1] == '\n' || At[1] == '\r')) {
      At += At[1] == '\r' && End - At > 2 ? 3 : 2;
      ++Line;
    } else if (*At == ' ' || *At == '\t' || *At == '\f' || *At == '\r') {
      ++At;
    } else {
      return;
    }
  }
}

bool PythonLexer::skipString() {
  char Quote = *At;
  bool Long = End - At > 2 && At[1] == Quote && At[2] == Quote;
  At += Long ? 3 : 1;
  for (; At != End; ++At) {
    if (*At == '\n') {
      if (!Long)
        return false;
      ++Line;
    } else if (*At == '\\') {
      if (++At == End)
        return false;
      if (*At == '\r' && End - At > 1 && At[1] == '\n')
        ++At;
      if (*At == '\n')
        ++Line;
    } else if (*At == Quote && (!Long || (End - At > 2 && At[1] == Quote && At[2] == Quote))) {
      At += Long ? 3 : 1;
      return true;
    }
  }
  return false;
}

PythonToken PythonLexer::next() {
  if (!InLine)
    beginLine();
  skipBlanks();
  const char *Begin = At;
  uint32_t First = Line;
  if (At == End) {
    bool Ended = InLine;
    InLine = false;
    return token(Ended ? PythonToken::LineEnd : PythonToken::End, Begin);
  }
  if (*At == '\n') {
    InLine = false;
    PythonToken T = token(PythonToken::LineEnd, Begin);
    ++At;
    ++Line;
    return T;
  }
  auto Made = [&](PythonToken::Kind Is) {
    PythonToken T = token(Is, Begin);
    T.Line = First;
    return T;
  };
  if (isWordStart(*At)) {
    while (At != End && isWordPart(*At))
      ++At;
    bool IsPrefix = At - Begin <= 2 && At != End && (*At == '"' || *At == '\'');
    if (!IsPrefix)
      return Made(PythonToken::Word);
  }
  if (*At == '"' || *At == '\'')
    return Made(skipString() ? PythonToken::String : PythonToken::Bad);
  if (llvm::isDigit(*At)) {
    while (At != End && (isWordPart(*At) || *At == '.'))
      ++At;
    return Made(PythonToken::Number);
  }
  char Ch = *At++;
  if (Ch == '(' || Ch == '[' || Ch == '{')
    ++Depth;
  else if ((Ch == ')' || Ch == ']' || Ch == '}') && Depth)
    --Depth;
  // "+=" is one token, and "==" is not an assignment; no other pair matters.
  else if (At != End && *At == '=' && llvm::StringRef("+-*/|&^%@=!<>:").contains(Ch))
    ++At;
  return Made(PythonToken::Operator);
}

void PythonLexer::skipBlock() {
  for (;;) {
    if (!InLine) {
      beginLine();
      if (!InLine || Indent == 0)
        return;
    }
    // Over everything that can be no quote, bracket, comment or end of line.
    while (At != End && (isWordPart(*At) || *At == ' ' || *At == '.' || *At == ',' || *At == '='))
      ++At;
    next();
  }
}

std::optional<std::string> stringValue(llvm::StringRef Token) {
  llvm::StringRef Prefix = Token.take_until([](char Ch) { return Ch == '"' || Ch == '\''; });
  bool Raw = Prefix.equals_insensitive("r");
  if (!Raw && !Prefix.empty() && !Prefix.equals_insensitive("u"))
    return std::nullopt;
  llvm::StringRef Text = Token.drop_front(Prefix.size());
  size_t Quotes = Text.size() > 5 && Text[1] == Text[0] && Text[2] == Text[0] ? 3 : 1;
  Text = Text.drop_front(Quotes).drop_back(Quotes);
  std::string Out;
  for (size_t I = 0; I < Text.size(); ++I) {
    // Python's lines end in "\n", however the file's do.
    if (Text[I] == '\r' && I + 1 < Text.size() && Text[I + 1] == '\n')
      continue;
    if (Text[I] != '\\' || Raw) {
      Out += Text[I];
      continue;
    }
    size_t Which = llvm::StringRef("\\'\"nrt\n").find(Text[++I]);
    if (Which == llvm::StringRef::npos)
      return std::nullopt; // no name needs the others
    if (Text[I] != '\n')
      Out += "\\'\"\n\r\t"[Which];
  }
  return Out;
}

} // namespace opsig
