//===- Utf8Internal.h - Text as code points ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_CODEGEN_UTF8INTERNAL_H
#define OPSIG_CODEGEN_UTF8INTERNAL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ConvertUTF.h"

namespace opsig {

/// Takes the first code point off \p Text, which must not be empty. A byte that begins no valid
/// sequence gives U+FFFD.
inline char32_t takeCodePoint(llvm::StringRef &Text) {
  if (static_cast<unsigned char>(Text.front()) < 0x80) {
    char32_t Ascii = Text.front();
    Text = Text.drop_front();
    return Ascii;
  }
  const auto *Begin = reinterpret_cast<const llvm::UTF8 *>(Text.data());
  const llvm::UTF8 *At = Begin;
  llvm::UTF32 Point = 0;
  if (llvm::convertUTF8Sequence(&At, Begin + Text.size(), &Point, llvm::strictConversion) !=
      llvm::conversionOK) {
    Text = Text.drop_front();
    return 0xFFFD;
  }
  Text = Text.drop_front(At - Begin);
  return Point;
}

} // namespace opsig

#endif
