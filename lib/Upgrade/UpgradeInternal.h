//===- UpgradeInternal.h - Words of a source, as rules look at them -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tokens of a file (opsig/Edit/SourceTokens.h) => those that are live, and what stands around them
// edits that older releases do not have => the same under a guard (Guards.cpp)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_UPGRADE_UPGRADEINTERNAL_H
#define OPSIG_LIB_UPGRADE_UPGRADEINTERNAL_H

#include "opsig/Edit/SourceTokens.h"
#include "opsig/Frontend/Span.h"
#include "opsig/Upgrade/Upgrade.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace opsig {

/// "gone as of 1.5", or the release that was seen without it, where no older headers were seen.
std::string sinceOf(const ApiChange &Rule, bool IsGone);

/// The tokens of a file of one unit, and where they are not live.
struct LiveFile {
  SourceId Id;
  llvm::StringRef Text;
  std::vector<SourceToken> Tokens;
  std::vector<Span> Unread;

  bool isLive(uint32_t Offset) const;
  /// The word or sign that many tokens before; "" without.
  llvm::StringRef before(size_t Token, size_t Count = 1) const {
    return Token < Count ? "" : Tokens[Token - Count].Text;
  }
  llvm::StringRef after(size_t Token, size_t Count = 1) const {
    return Token + Count < Tokens.size() ? Tokens[Token + Count].Text : "";
  }
  /// The number of the word that begins at \p Offset.
  std::optional<size_t> wordAt(uint32_t Offset) const;
  /// The first token of `a::b::name` whose last is \p Token.
  size_t qualifiedBegin(size_t Token) const;
  /// Whether a token is in braces that are not those of a namespace.
  bool isInBody(size_t Token) const;
};

/// The macro or function in whose arguments \p Offset is, itself not in any other brackets.
llvm::StringRef calleeAround(const LiveFile &File, uint32_t Offset);

/// What `x.type()` of a tensor becomes.
struct TypeChange {
  uint32_t End; ///< behind what is replaced
  llvm::StringRef From;
  std::string To;
  llvm::StringRef Review = "";
};
/// \p End: behind `type()`, which begins at \p Begin. \p IsScalarType: Clang wants a ScalarType
/// there. Nothing where it may mean something else.
std::optional<TypeChange> changeOfType(const LiveFile &File, uint32_t Begin, uint32_t End,
                                       bool IsScalarType);

/// Edits with a Guard become pairs of lines, one for each kind of release; those that cannot are
/// Blocked. Other edits of their lines are made in both.
void guardEdits(std::vector<UpgradeEdit> &Edits, const SourceFiles &Files);

} // namespace opsig

#endif
