//===- JsonString.cpp - JSON strings in ASCII -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Print/JsonStringInternal.h"
#include "Print/Utf8Internal.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace opsig {

/// The letter after a backslash for those that have one; 0 otherwise.
static char shortEscape(char32_t Point) {
  switch (Point) {
  case '"':
  case '\\':
    return static_cast<char>(Point);
  case '\b':
    return 'b';
  case '\f':
    return 'f';
  case '\n':
    return 'n';
  case '\r':
    return 'r';
  case '\t':
    return 't';
  default:
    return 0;
  }
}

std::string jsonString(StringRef Text) {
  std::string Result;
  raw_string_ostream OS(Result);
  auto Unit = [&](char32_t Value) { OS << format("\\u%04x", unsigned(Value)); };
  OS << '"';
  while (!Text.empty()) {
    char32_t Point = takeCodePoint(Text);
    if (char Letter = shortEscape(Point))
      OS << '\\' << Letter;
    else if (Point >= 0x20 && Point < 0x7F)
      OS << static_cast<char>(Point);
    else if (Point < 0x10000)
      Unit(Point);
    else { // A surrogate pair.
      Unit(0xD800 + ((Point - 0x10000) >> 10));
      Unit(0xDC00 + ((Point - 0x10000) & 0x3FF));
    }
  }
  OS << '"';
  return Result;
}

} // namespace opsig
