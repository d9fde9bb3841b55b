//===- PyYamlScalar.cpp - Strings as PyYAML writes them ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text => what occurs in it => the lightest style that reads back as the same string
//
//===----------------------------------------------------------------------===//
#include "Lists/PyYamlScalarInternal.h"
#include "Print/Utf8Internal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace opsig {

//===-- The choice of a style -----------------------------------------------===//

namespace {

enum class Style : uint8_t { Plain, SingleQuoted, DoubleQuoted };

bool isPlainAscii(char C) { return C >= 0x20 && C < 0x7F; }
bool isBlankOrBreak(char C) { return C == ' ' || C == '\n'; }

/// Characters that mean something at the start of a plain scalar.
bool isIndicator(char C) { return StringRef("#,[]{}&*!|>'\"%@`").contains(C); }

/// Whether \p Text, of which every character is printable, has one that ends or begins something
/// else where it stands.
bool hasIndicators(StringRef Text) {
  if (Text.starts_with("---") || Text.starts_with("...") || isIndicator(Text.front()))
    return true;
  auto EndsWord = [&](size_t I) { return I + 1 == Text.size() || isBlankOrBreak(Text[I + 1]); };
  if ((Text[0] == '-' || Text[0] == '?') && EndsWord(0))
    return true;
  for (size_t I = 0; I < Text.size(); ++I)
    if ((Text[I] == ':' && EndsWord(I)) ||
        (Text[I] == '#' && I != 0 && isBlankOrBreak(Text[I - 1])))
      return true;
  return false;
}

Style styleOf(StringRef Text) {
  if (Text.empty())
    return Style::SingleQuoted;
  if (!all_of(Text, [](char C) { return isPlainAscii(C) || C == '\n'; }))
    return Style::DoubleQuoted;
  bool HasBreak = Text.contains('\n');
  // Quoted lines are trimmed when they are read.
  if (HasBreak && (Text.contains(" \n") || Text.contains("\n ")))
    return Style::DoubleQuoted;
  if (HasBreak || isBlankOrBreak(Text.front()) || isBlankOrBreak(Text.back()) ||
      hasIndicators(Text) || readsAsOtherThanString(Text))
    return Style::SingleQuoted;
  return Style::Plain;
}

} // namespace

//===-- Its text ------------------------------------------------------------===//

namespace {

/// A break is doubled where a line was before it, since one alone is read as a blank.
void appendSingleQuoted(std::string &Out, StringRef Text, unsigned Indent) {
  bool AfterBreak = false;
  Out += '\'';
  for (char C : Text) {
    if (C == '\n') {
      Out.append(AfterBreak ? 1 : 2, '\n');
    } else {
      if (AfterBreak)
        Out.append(Indent, ' ');
      Out.append(C == '\'' ? 2 : 1, C);
    }
    AfterBreak = C == '\n';
  }
  if (AfterBreak)
    Out.append(Indent, ' ');
  Out += '\'';
}

/// The letter after a backslash for the code points that have one; 0 otherwise.
char escapeLetter(char32_t Point) {
  switch (Point) {
  case 0x00:
    return '0';
  case 0x07:
    return 'a';
  case 0x08:
    return 'b';
  case 0x09:
    return 't';
  case 0x0A:
    return 'n';
  case 0x0B:
    return 'v';
  case 0x0C:
    return 'f';
  case 0x0D:
    return 'r';
  case 0x1B:
    return 'e';
  case '"':
  case '\\':
    return static_cast<char>(Point);
  case 0x85:
    return 'N';
  case 0xA0:
    return '_';
  case 0x2028:
    return 'L';
  case 0x2029:
    return 'P';
  default:
    return 0;
  }
}

void appendDoubleQuoted(std::string &Out, StringRef Text) {
  raw_string_ostream OS(Out);
  OS << '"';
  while (!Text.empty()) {
    char32_t Point = takeCodePoint(Text);
    if (char Letter = escapeLetter(Point))
      OS << '\\' << Letter;
    else if (Point >= 0x20 && Point < 0x7F)
      OS << static_cast<char>(Point);
    else if (Point <= 0xFF)
      OS << format("\\x%02X", unsigned(Point));
    else if (Point <= 0xFFFF)
      OS << format("\\u%04X", unsigned(Point));
    else
      OS << format("\\U%08X", unsigned(Point));
  }
  OS << '"';
}

} // namespace

void appendPyYamlString(std::string &Out, StringRef Text, unsigned Indent) {
  switch (styleOf(Text)) {
  case Style::Plain:
    Out += Text;
    return;
  case Style::SingleQuoted:
    return appendSingleQuoted(Out, Text, Indent);
  case Style::DoubleQuoted:
    return appendDoubleQuoted(Out, Text);
  }
}

} // namespace opsig
