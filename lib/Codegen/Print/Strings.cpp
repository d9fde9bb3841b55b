//===- Strings.cpp - String literals of other languages ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Print/StringsInternal.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace opsig {

char escapeLetter(char32_t Point, StringRef Points, StringRef Letters) {
  if (Point >= 0x20 && Point != '"' && Point != '\\')
    return 0;
  size_t At = Points.find(static_cast<char>(Point));
  return At == StringRef::npos ? 0 : Letters[At];
}

/// The part of \p Text that needs no escape in any of the languages; nearly always all of it.
static StringRef takePlain(StringRef &Text) {
  StringRef Plain = Text.take_until(
      [](unsigned char C) { return C < 0x20 || C >= 0x7F || C == '"' || C == '\\'; });
  Text = Text.drop_front(Plain.size());
  return Plain;
}

std::string cppString(StringRef Text) {
  std::string Literal;
  Literal.reserve(Text.size() + 2);
  Literal += '"';
  for (Literal += takePlain(Text); !Text.empty(); Literal += takePlain(Text)) {
    unsigned char C = Text.front();
    if (char Letter = escapeLetter(C, "\\\"\a\b\f\n\v\t", "\\\"abfnvt"))
      (Literal += '\\') += Letter;
    else
      Literal += C;
    Text = Text.drop_front();
  }
  return Literal += '"';
}

std::string jsonString(StringRef Text) {
  std::string Result;
  Result.reserve(Text.size() + 2);
  Result += '"';
  auto AddUnit = [&](char32_t Value) {
    raw_string_ostream(Result) << format("\\u%04x", unsigned(Value));
  };
  for (Result += takePlain(Text); !Text.empty(); Result += takePlain(Text)) {
    char32_t Point = takeCodePoint(Text);
    if (char Letter = escapeLetter(Point, "\"\\\b\f\n\r\t", "\"\\bfnrt"))
      (Result += '\\') += Letter;
    else if (Point < 0x10000)
      AddUnit(Point);
    else { // A surrogate pair.
      AddUnit(0xD800 + ((Point - 0x10000) >> 10));
      AddUnit(0xDC00 + ((Point - 0x10000) & 0x3FF));
    }
  }
  return Result += '"';
}

char32_t takeCodePoint(StringRef &Text) {
  if (static_cast<unsigned char>(Text.front()) < 0x80) {
    char Ascii = Text.front();
    Text = Text.drop_front();
    return Ascii;
  }
  const auto *Begin = reinterpret_cast<const UTF8 *>(Text.data());
  const UTF8 *At = Begin;
  UTF32 Point = 0;
  bool IsValid =
      convertUTF8Sequence(&At, Begin + Text.size(), &Point, strictConversion) == conversionOK;
  Text = Text.drop_front(IsValid ? At - Begin : 1);
  return IsValid ? Point : 0xFFFD;
}

} // namespace opsig
