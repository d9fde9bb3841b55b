//===- UnitSpansInternal.h - Source ranges as spans of a unit's files --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_KERNEL_UNITSPANSINTERNAL_H
#define OPSIG_LIB_KERNEL_UNITSPANSINTERNAL_H

#include "KernelInternal.h"
#include "llvm/ADT/DenseMap.h"

namespace opsig {

/// Turns source ranges into spans of a TranslationUnit's files.
class UnitSpans {
public:
  UnitSpans(clang::ASTContext &Context, TranslationUnit &Unit);

  /// The file text that stands for a token range; invalid where a macro is in the way.
  Span span(clang::SourceRange Range);
  /// The same, or else the use of the macro.
  Span use(clang::SourceRange Range);
  /// One byte at a spelling location; invalid where it is in no file.
  Span byte(clang::SourceLocation At);
  llvm::StringRef text(Span S) const;
  clang::ASTContext &context() { return Context; }

private:
  uint32_t fileIndex(clang::FileID File);

  clang::ASTContext &Context;
  const clang::SourceManager &SM;
  TranslationUnit &Unit;
  llvm::DenseMap<clang::FileID, uint32_t> Indices;
  llvm::DenseMap<uint32_t, clang::FileID> Files;
};

/// "at::Tensor" as written, in one line.
std::string inOneLine(llvm::StringRef Text);

} // namespace opsig

#endif
