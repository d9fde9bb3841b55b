//===- SourceTokens.h - Words and brackets of a source ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text => (Clang's lexer) tokens outside of comments => calls with their arguments, what brackets
// hold, and what commas separate
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDIT_SOURCETOKENS_H
#define OPSIG_EDIT_SOURCETOKENS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace opsig {

/// A token, in bytes.
struct SourceToken {
  enum Kind : uint8_t { Word, Punctuation, Other } Is = Other;
  uint32_t Offset = 0;
  llvm::StringRef Text;
  uint32_t end() const { return Offset + uint32_t(Text.size()); }

  bool opens() const { return Is == Punctuation && (Text == "(" || Text == "[" || Text == "{"); }
  bool isComma() const { return Is == Punctuation && Text == ","; }
  bool closes() const { return Is == Punctuation && (Text == ")" || Text == "]" || Text == "}"); }
};

/// All tokens but comments, until \p Visit returns false; also those of directives and of macros'
/// definitions.
void forEachToken(llvm::StringRef Text, llvm::function_ref<bool(const SourceToken &)> Visit);
std::vector<SourceToken> tokensOf(llvm::StringRef Text);

/// Between parentheses.
struct TokenCall {
  uint32_t End = 0; ///< behind ")"
  /// Trimmed. None for "()".
  std::vector<llvm::StringRef> Arguments;
};

/// The call whose name is \p Name, an index into \p Tokens; nothing if no "(" follows, or it is
/// closed nowhere.
std::optional<TokenCall> callAt(llvm::StringRef Text, const std::vector<SourceToken> &Tokens,
                                size_t Name);

/// The beginning of \p Text, which is a bracket, up to and with the one that closes it; "" where
/// none does.
llvm::StringRef bracketed(llvm::StringRef Text);

/// Where the innermost braces around \p Offset are opened; nothing outside of all.
std::optional<uint32_t> braceAround(llvm::StringRef Text, uint32_t Offset);

/// What commas separate that no bracket holds, trimmed; \p OnlyParentheses: no other bracket does,
/// as in a macro's arguments. Nothing where brackets do not match.
std::optional<std::vector<llvm::StringRef>> commaSeparated(llvm::StringRef Text,
                                                           bool OnlyParentheses = false);

/// Lines from an #if to its #endif, or to the end of the text.
struct ConditionalLines {
  uint32_t Begin = 0, End = 0;    ///< of lines; behind the last
  llvm::StringRef Opening;        ///< "#ifdef USE_ROCM"
  std::vector<uint32_t> Branches; ///< where each #else and #elif stands
  bool holds(uint32_t Offset) const { return Begin < Offset && Offset < End; }
};
/// In the order in which they begin.
std::vector<ConditionalLines> conditionalLines(llvm::StringRef Text);

} // namespace opsig

#endif
