//===- CodeTemplate.cpp - Text with named holes -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/CodeTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace llvm;

namespace opsig {

//===-- White space and lines as Python sees them ---------------------------===//

namespace {

/// A white space character of one or more bytes.
struct SpaceChar {
  StringLiteral Bytes;
  bool EndsLine;
};

// Everything str.isspace() accepts; str.splitlines() breaks at those that end a line.
constexpr SpaceChar SpaceChars[] = {
    {" ", false},      {"\t", false},     {"\n", true},      {"\r", true},      {"\v", true},
    {"\f", true},      {"\x1c", true},    {"\x1d", true},    {"\x1e", true},    {"\x1f", false},
    {"\u0085", true},  {"\u00a0", false}, {"\u1680", false}, {"\u2000", false}, {"\u2001", false},
    {"\u2002", false}, {"\u2003", false}, {"\u2004", false}, {"\u2005", false}, {"\u2006", false},
    {"\u2007", false}, {"\u2008", false}, {"\u2009", false}, {"\u200a", false}, {"\u2028", true},
    {"\u2029", true},  {"\u202f", false}, {"\u205f", false}, {"\u3000", false},
};

bool mayBeginSpaceChar(char C) {
  return C == ' ' || (C >= '\t' && C <= '\r') || (C >= '\x1c' && C <= '\x1f') || (C & 0x80);
}

const SpaceChar *leadingSpaceChar(StringRef Text) {
  if (Text.empty() || !mayBeginSpaceChar(Text.front()))
    return nullptr;
  for (const SpaceChar &S : SpaceChars)
    if (Text.starts_with(S.Bytes))
      return &S;
  return nullptr;
}

StringRef rstrip(StringRef Text) {
  auto CutOne = [&] {
    for (const SpaceChar &S : SpaceChars)
      if (Text.consume_back(S.Bytes))
        return true;
    return false;
  };
  // Nearly every line ends in an ASCII character that is no space.
  while (!Text.empty() && mayBeginSpaceChar(Text.back()) && CutOne())
    ;
  return Text;
}

/// Whether "\n" alone ends lines in \p Text; where unsure, as of all that is not ASCII, false.
/// Looks at every byte in the same way, so that compilers vectorize it; inlined, Clang does not.
/// The range from "\v" on has more in it than ends of lines, and takes one comparison.
LLVM_ATTRIBUTE_NOINLINE bool onlyNewlineEndsLines(StringRef Text) {
  uint8_t MayHaveOther = 0;
  for (uint8_t C : Text.bytes())
    MayHaveOther |= (C & 0x80) | (uint8_t(C - '\v') <= '\x1e' - '\v');
  return !MayHaveOther;
}

/// Only white space, and no newline. Other line ends count as white space here.
bool isBlank(StringRef Text) { return !Text.contains('\n') && rstrip(Text).empty(); }

} // namespace

std::vector<StringRef> splitLinesLikePython(StringRef Text) {
  std::vector<StringRef> Lines;
  if (onlyNewlineEndsLines(Text)) {
    while (!Text.empty()) {
      auto [Line, Rest] = Text.split('\n');
      Lines.push_back(Line);
      Text = Rest;
    }
    return Lines;
  }
  size_t Begin = 0;
  for (size_t I = 0; I != Text.size();) {
    const SpaceChar *S = leadingSpaceChar(Text.substr(I));
    if (!S || !S->EndsLine) {
      I += S ? S->Bytes.size() : 1;
      continue;
    }
    Lines.push_back(Text.slice(Begin, I));
    I += Text.substr(I).starts_with("\r\n") ? 2 : S->Bytes.size();
    Begin = I;
  }
  if (Begin != Text.size())
    Lines.push_back(Text.substr(Begin));
  return Lines;
}

std::string withUniversalNewlines(StringRef Text) {
  std::string Result;
  Result.reserve(Text.size());
  for (size_t I = 0; I != Text.size(); ++I) {
    bool StartsPair = Text.substr(I).starts_with("\r\n");
    if (!StartsPair)
      Result += Text[I] == '\r' ? '\n' : Text[I];
  }
  return Result;
}

//===-- Finding holes -------------------------------------------------------===//

namespace {

/// Takes an identifier off the front of \p Text; empty if there is none.
StringRef consumeIdentifier(StringRef &Text) {
  if (Text.empty() || !(isAlpha(Text.front()) || Text.front() == '_'))
    return {};
  StringRef Name = Text.take_while([](char C) { return isAlnum(C) || C == '_'; });
  Text = Text.drop_front(Name.size());
  return Name;
}

} // namespace

CodeTemplate::CodeTemplate(StringRef Text) : Text(Text) {
  unsigned Copied = 0;
  for (size_t At = Text.find('$'); At != StringRef::npos; At = Text.find('$', At + 1)) {
    StringRef Rest = Text.substr(At + 1);
    bool Braced = Rest.consume_front("{");
    bool CommaBefore = Braced && Rest.consume_front(",");
    StringRef Name = consumeIdentifier(Rest);
    bool CommaAfter = Braced && Rest.consume_front(",");
    if (Name.empty() || (Braced && !Rest.consume_front("}")))
      continue; // The dollar sign is plain text.

    size_t LineBegin = Text.take_front(At).rfind('\n') + 1; // npos + 1 is 0
    bool IsBlock = isBlank(Text.slice(LineBegin, At));
    unsigned Indent = IsBlock ? At - LineBegin : 0;
    Steps.push_back({.Begin = Copied,
                     .End = unsigned(At) - Indent,
                     .Then = IsBlock ? printer::Step::Do::Block : printer::Step::Do::Fill,
                     .Indent = Indent,
                     .CommaBefore = CommaBefore,
                     .CommaAfter = CommaAfter});
    Copied = Text.size() - Rest.size();
    Holes.push_back({Name, At, Copied});
  }
  Steps.push_back({Copied, unsigned(Text.size())});
}

//===-- Filling holes -------------------------------------------------------===//

namespace {

/// Puts the lines from \p Begin on behind \p Indent, wherever Python would end them.
void layOutUnusual(std::string &Out, size_t Begin, StringRef Indent, BlockLines Lines) {
  std::string Block = Out.substr(Begin);
  Out.resize(Begin);
  for (StringRef Line : splitLinesLikePython(Block)) {
    if (Lines == BlockLines::Trim)
      Line = rstrip(Line);
    if (Lines == BlockLines::Keep || !Line.empty())
      Out += Indent;
    (Out += Line) += '\n';
  }
}

/// Cuts blanks off the ends of lines, of which "\n" ends each.
void trimLines(std::string &Out, size_t Begin) {
  char *To = Out.data() + Begin;
  for (StringRef Rest = StringRef(Out).substr(Begin); !Rest.empty();) {
    auto [Line, After] = Rest.split('\n');
    StringRef Kept = rstrip(Line);
    // Nothing has to move before the first line that was cut.
    if (To != Kept.data())
      std::memmove(To, Kept.data(), Kept.size());
    To += Kept.size();
    *To++ = '\n';
    Rest = After;
  }
  Out.resize(To - Out.data());
}

template <BlockLines Lines>
void printBlock(std::string &Out, StringRef Indent, const HoleView &Value, const printer::Step &) {
  constexpr bool Trims = Lines == BlockLines::Trim;
  size_t Begin = Out.size();
  // What ends a line in an indentation is no less an end than in a value.
  bool IsUsual = !Trims || Indent.find_first_not_of(" \t") == StringRef::npos;
  Value.printLines(Out);
  if (!onlyNewlineEndsLines(StringRef(Out).substr(Begin))) {
    layOutUnusual(Out, Begin, Indent, Lines);
  } else {
    if (Trims)
      trimLines(Out, Begin);
    if (!Indent.empty())
      indentLines(Out, Begin, Indent, /*IndentBlank=*/!Trims);
  }
  if (!IsUsual)
    layOutUnusual(Out, Begin, "", Lines);
  Out.resize(Begin + rstrip(StringRef(Out).substr(Begin)).size());
}

} // namespace

void CodeTemplate::print(std::string &Out, ArrayRef<TemplateValue> Values, BlockLines Lines) const {
  std::vector<HoleView> Views(1);
  SmallVector<uint8_t, 16> ValueOf;
  for (const TemplateValue &V : Values)
    Views.push_back(V.Value);
  for (const TemplateHole &Hole : Holes) {
    auto Is = find_if(Values, [&](const TemplateValue &V) { return V.Name == Hole.Name; });
    ValueOf.push_back(Is == Values.end() ? 0 : 1 + (Is - Values.begin()));
  }
  ValueOf.push_back(0);
  printer::run(Out, Text, Steps, ValueOf.data(), Views,
               Lines == BlockLines::Keep ? printBlock<BlockLines::Keep>
                                         : printBlock<BlockLines::Trim>);
}

} // namespace opsig
