//===- UnifiedDiff.h - Edits as a patch ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text, its edits => hunks of lines, as `patch` and `git apply` read them
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDIT_UNIFIEDDIFF_H
#define OPSIG_EDIT_UNIFIEDDIFF_H

#include "clang/Tooling/Core/Replacement.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace opsig {

/// Prints what \p Changes make of \p Before, the contents of \p Path, with three lines of context.
/// Nothing where they change no line.
void printUnifiedDiff(llvm::raw_ostream &OS, llvm::StringRef Path, llvm::StringRef Before,
                      const clang::tooling::Replacements &Changes);

} // namespace opsig

#endif
