//===- CodeTemplate.cpp - Text with named holes -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/CodeTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

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

/// Whether "\n" alone ends lines in \p Text; where unsure, as of all that is not ASCII, false. Looks
/// at every byte in the same way, so that compilers vectorize it; inlined, Clang does not. The
/// range from "\v" on has more in it than ends of lines, and takes one comparison.
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

/// The hole whose "$" stands at \p At; nothing if that dollar sign is plain text.
std::optional<TemplateHole> parseHole(StringRef Text, size_t At) {
  StringRef Rest = Text.substr(At + 1);
  bool Braced = Rest.consume_front("{");
  bool CommaBefore = Braced && Rest.consume_front(",");
  StringRef Name = consumeIdentifier(Rest);
  bool CommaAfter = Braced && Rest.consume_front(",");
  if (Name.empty() || (Braced && !Rest.consume_front("}")))
    return std::nullopt;

  size_t LineBegin = Text.take_front(At).rfind('\n') + 1; // npos + 1 is 0
  bool IsBlock = isBlank(Text.slice(LineBegin, At));
  return TemplateHole{.Name = Name,
                      .Begin = IsBlock ? LineBegin : At,
                      .End = Text.size() - Rest.size(),
                      .At = At,
                      .IsBlock = IsBlock,
                      .CommaBefore = CommaBefore,
                      .CommaAfter = CommaAfter};
}

} // namespace

CodeTemplate::CodeTemplate(StringRef Name, StringRef Text) : Name(Name), Text(Text) {
  for (size_t At = Text.find('$'); At != StringRef::npos;) {
    std::optional<TemplateHole> Hole = parseHole(Text, At);
    At = Text.find('$', Hole ? Hole->End : At + 1);
    if (Hole)
      Holes.push_back(*Hole);
  }
}

//===-- Filling holes -------------------------------------------------------===//

namespace {

void forEachElement(const TemplateValue &Value, function_ref<void(StringRef)> Do) {
  if (const auto *Single = std::get_if<std::string>(&Value))
    Do(*Single);
  else if (const auto *Owned = std::get_if<std::vector<std::string>>(&Value))
    for_each(*Owned, Do);
  else
    for_each(std::get<std::vector<StringRef>>(Value), Do);
}

size_t totalSize(const TemplateValue &Value) {
  size_t Size = 0;
  forEachElement(Value, [&](StringRef Element) { Size += Element.size() + 2; });
  return Size;
}

void appendLine(std::string &Text, StringRef Indent, StringRef Line, BlockLines Lines) {
  if (Lines == BlockLines::Trim)
    Line = rstrip(Line);
  if (Lines == BlockLines::Keep || !Line.empty())
    Text += Indent;
  Text += Line;
  Text += '\n';
}

/// Appends every line of every element after \p Indent; blank lines too where \p Lines keeps them.
void appendIndented(std::string &Text, StringRef Indent, const TemplateValue &Value,
                    BlockLines Lines) {
  bool LinesStay = Lines == BlockLines::Keep && Indent.empty();
  forEachElement(Value, [&](StringRef Element) {
    if (!onlyNewlineEndsLines(Element)) {
      for (StringRef Line : splitLinesLikePython(Element))
        appendLine(Text, Indent, Line, Lines);
    } else if (LinesStay) {
      Text += Element;
      if (!Element.empty() && Element.back() != '\n')
        Text += '\n';
    } else {
      while (!Element.empty()) {
        auto [Line, Rest] = Element.split('\n');
        appendLine(Text, Indent, Line, Lines);
        Element = Rest;
      }
    }
  });
}

void appendBlock(std::string &Text, StringRef Indent, const TemplateValue &Value,
                 BlockLines Lines) {
  size_t Begin = Text.size();
  appendIndented(Text, Indent, Value, Lines);
  if (Lines == BlockLines::Trim && Indent.find_first_not_of(" \t") != StringRef::npos) {
    // Taken apart anew, since this indentation may hold characters that end a line for Python.
    std::string Block = Text.substr(Begin);
    Text.resize(Begin);
    for (StringRef Line : splitLinesLikePython(Block))
      (Text += rstrip(Line)) += '\n';
  }
  Text.resize(Begin + rstrip(StringRef(Text).substr(Begin)).size());
}

void appendInline(std::string &Text, const TemplateHole &Hole, const TemplateValue &Value) {
  bool IsList = !std::holds_alternative<std::string>(Value);
  bool First = true;
  forEachElement(Value, [&](StringRef Element) {
    if (!First || (IsList && Hole.CommaBefore))
      Text += ", ";
    Text += Element;
    First = false;
  });
  if (IsList && !First && Hole.CommaAfter)
    Text += ", ";
}

} // namespace

Expected<std::string> CodeTemplate::fill(const TemplateValues &Values, BlockLines Lines) const {
  std::string Result;
  size_t Size = Text.size();
  for (const auto &Value : Values)
    Size += totalSize(Value.getValue());
  Result.reserve(Size);
  size_t Copied = 0;
  for (const TemplateHole &Hole : Holes) {
    auto Value = Values.find(Hole.Name);
    if (Value == Values.end())
      return createStringError(Twine(Name) + ":" + Twine(Text.take_front(Hole.At).count('\n') + 1) +
                               ": no value for the hole '" + Hole.Name + "'");
    Result += Text.slice(Copied, Hole.Begin);
    if (Hole.IsBlock)
      appendBlock(Result, Text.slice(Hole.Begin, Hole.At), Value->second, Lines);
    else
      appendInline(Result, Hole, Value->second);
    Copied = Hole.End;
  }
  Result += Text.substr(Copied);
  return Result;
}

} // namespace opsig
