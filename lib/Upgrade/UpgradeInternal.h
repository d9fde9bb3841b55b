//===- UpgradeInternal.h - Words of a source, as rules look at them -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text => identifiers outside of comments and strings => calls with their arguments
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_UPGRADE_UPGRADEINTERNAL_H
#define OPSIG_LIB_UPGRADE_UPGRADEINTERNAL_H

#include "llvm/ADT/StringRef.h"
#include <functional>
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
};

/// All tokens but comments; also those of directives and of macros' definitions.
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

} // namespace opsig

#endif
