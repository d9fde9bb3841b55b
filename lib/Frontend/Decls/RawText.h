//===- RawText.h - Files as they are written ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// file => tokens before the preprocessor, directives apart from the rest
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_DECLS_RAWTEXT_H
#define OPSIG_LIB_FRONTEND_DECLS_RAWTEXT_H

#include "opsig/Frontend/Span.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/TokenKinds.h"

namespace opsig {

struct RawToken {
  clang::tok::TokenKind Is;
  llvm::StringRef Text;
  uint32_t Offset;

  bool is(llvm::StringRef Word) const { return Is == clang::tok::raw_identifier && Text == Word; }
  uint32_t end() const { return Offset + Text.size(); }
};

/// `#if`, `#elif`, `#else`, `#endif` and their kin.
struct RawDirective {
  uint32_t Hash;               ///< where its line begins
  std::vector<RawToken> Words; ///< behind the hash, one at least

  uint32_t end() const { return Words.back().end(); }
};

/// One file, directives apart from the rest.
struct RawFile {
  bool IsMain = false;
  std::vector<RawToken> Code;
  std::vector<std::vector<RawToken>> Defines; ///< from the macro's name on
  std::vector<RawDirective> Conditionals;

  /// Some condition decides what stands there.
  bool hasCondition(Span S) const;
};

RawFile readRaw(clang::FileID File, const clang::ASTContext &Context);

/// As UnitFacts::Files has the paths of headers.
std::string absolutePathOf(clang::FileID File, const clang::SourceManager &SM);

/// TORCH_LIBRARY and its kin, a project's own among them.
inline bool soundsLikeLibrary(llvm::StringRef Name) { return Name.contains("LIBRARY"); }

} // namespace opsig

#endif
