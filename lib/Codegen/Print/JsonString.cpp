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

static void appendUnit(std::string &Out, char32_t Value) {
  raw_string_ostream(Out) << format("\\u%04x", unsigned(Value));
}

std::string jsonString(StringRef Text) {
  std::string Result = "\"";
  Result.reserve(Text.size() + 2);
  while (!Text.empty()) {
    char32_t Point = takeCodePoint(Text);
    if (char Letter = shortEscape(Point))
      (Result += '\\') += Letter;
    else if (Point >= 0x20 && Point < 0x7F)
      Result += static_cast<char>(Point);
    else if (Point < 0x10000)
      appendUnit(Result, Point);
    else { // A surrogate pair.
      appendUnit(Result, 0xD800 + ((Point - 0x10000) >> 10));
      appendUnit(Result, 0xDC00 + ((Point - 0x10000) & 0x3FF));
    }
  }
  Result += '"';
  return Result;
}

} // namespace opsig
