//===- PyYamlScalar.cpp - Strings as PyYAML writes them ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text => what occurs in it => the lightest style that reads back as the same string, by YAML 1.1
// C++ default => bool | int | float | string, by Python's int() and float() => YAML text
//
//===----------------------------------------------------------------------===//
#include "Lists/PyYamlScalarInternal.h"
#include "Print/StringsInternal.h"
#include "opsig/Support/PythonNumber.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace opsig {

//===-- What plain text is read as ------------------------------------------===//

/// Whether a plain \p Text (ASCII, one line) would be read as something else than a string: a
/// number, a boolean, a date ... in YAML 1.1 as PyYAML understands it.
static bool readsAsOtherThanString(StringRef Text) {
  bool IsWord =
      Text.size() <= 5 && StringSwitch<bool>(Text)
                              .Cases({"yes", "Yes", "YES", "no", "No", "NO"}, true)
                              .Cases({"true", "True", "TRUE", "false", "False", "FALSE"}, true)
                              .Cases({"on", "On", "ON", "off", "Off", "OFF"}, true)
                              .Cases({"~", "null", "Null", "NULL", ""}, true)
                              .Cases({".nan", ".NaN", ".NAN", "<<", "="}, true)
                              .Default(false);
  // All others begin like numbers.
  if (IsWord || (!isDigit(Text.front()) && !is_contained({'-', '+', '.'}, Text.front())))
    return IsWord;
  constexpr StringLiteral Patterns[] = {
      "[-+]?[.](inf|Inf|INF)", "[-+]?(0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]*|[1-9][0-9_]*)",
      // Base 60: the first digit of an int is not 0; a float has a point.
      "[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+", "[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+[.][0-9_]*",
      // A point is needed, digits before it or after it, and a sign in the exponent; only a number
      // that begins with a digit may have a sign of its own.
      "([-+]?[0-9][0-9_]*[.]|[.][0-9])[0-9_]*([eE][-+][0-9]+)?", "[0-9]{4}-[0-9]{2}-[0-9]{2}",
      "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}([.][0-9]*)?"
      "([ \t]*(Z|[-+][0-9]{1,2}(:[0-9]{2})?))?"};
  return any_of(Patterns, [&](StringRef P) { return Regex(("^(" + P + ")$").str()).match(Text); });
}

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
  for (size_t I = Text.find(':'); I != StringRef::npos; I = Text.find(':', I + 1))
    if (EndsWord(I))
      return true;
  for (size_t I = Text.find('#', 1); I != StringRef::npos; I = Text.find('#', I + 1))
    if (isBlankOrBreak(Text[I - 1]))
      return true;
  return false;
}

Style styleOf(StringRef Text) {
  if (Text.empty())
    return Style::SingleQuoted;
  // Not all_of(), which stops at the first: so compilers vectorize it.
  bool HasOther = false;
  for (char C : Text)
    HasOther |= !isPlainAscii(C) & (C != '\n');
  if (HasOther)
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

//===-- Its text ------------------------------------------------------------===//

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
char letterOf(char32_t Point) {
  constexpr std::pair<char32_t, char> Wide[] = {
      {0x85, 'N'}, {0xA0, '_'}, {0x2028, 'L'}, {0x2029, 'P'}};
  for (auto [Of, Letter] : Wide)
    if (Of == Point)
      return Letter;
  return escapeLetter(Point, StringRef("\0\a\b\t\n\v\f\r\x1B\"\\", 11), "0abtnvfre\"\\");
}

void appendDoubleQuoted(std::string &Out, StringRef Text) {
  raw_string_ostream OS(Out);
  OS << '"';
  while (!Text.empty()) {
    char32_t Point = takeCodePoint(Text);
    if (char Letter = letterOf(Point))
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

std::string pyYamlFloat(double Value) {
  if (std::isnan(Value))
    return ".nan";
  if (std::isinf(Value))
    return Value < 0 ? "-.inf" : ".inf";
  PythonDigits Digits = pythonDigits(Value);
  if (Digits.Exponent.empty())
    return Digits.Mantissa;
  return Digits.Mantissa + (StringRef(Digits.Mantissa).contains('.') ? "e" : ".0e") +
         Digits.Exponent;
}

void appendPyYamlDefault(std::string &Out, StringRef Text, unsigned Indent) {
  if (Text == "true" || Text == "false")
    Out += Text;
  else if (std::optional<std::string> Int = pythonInt(Text))
    Out += *Int;
  else if (std::optional<double> Float = pythonFloat(Text))
    Out += pyYamlFloat(*Float);
  else
    appendPyYamlString(Out, Text, Indent);
}

} // namespace opsig
