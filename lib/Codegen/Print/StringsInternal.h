//===- StringsInternal.h - String literals of other languages ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_CODEGEN_PRINT_STRINGSINTERNAL_H
#define OPSIG_LIB_CODEGEN_PRINT_STRINGSINTERNAL_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace opsig {

/// \p Text as a C++ string literal.
std::string cppString(llvm::StringRef Text);

/// \p Text (UTF-8) as a JSON string with its quotes, in ASCII only, as Python's json.dumps writes
/// it by default. A byte that is no UTF-8 becomes U+FFFD.
std::string jsonString(llvm::StringRef Text);

/// Takes the first code point off \p Text, which must not be empty. A byte that begins no valid
/// sequence gives U+FFFD.
char32_t takeCodePoint(llvm::StringRef &Text);

/// The letter at the place in \p Letters that \p Point has in \p Points, which holds control
/// characters, quotes and backslashes only; 0 where it has none.
char escapeLetter(char32_t Point, llvm::StringRef Points, llvm::StringRef Letters);

} // namespace opsig

#endif
