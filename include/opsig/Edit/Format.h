//===- Format.h - Edits => texts in the style of the project -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text, edits => edited text => clang-format over what changed => new text, all changes
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDIT_FORMAT_H
#define OPSIG_EDIT_FORMAT_H

#include "opsig/Support/Finding.h"
#include "clang/Tooling/Core/Replacement.h"

namespace opsig {

struct EditedText {
  std::string Text;
  /// From the text before to Text, in one step.
  clang::tooling::Replacements Changes;
};

/// Makes \p Edits in \p Text, the contents of \p Path, and formats what they touch as the nearest
/// .clang-format says. Where there is none, only \p Additions, those of the edits that are new
/// code, are formatted: as LLVM does, with the indentation and line length that the file has.
/// Comments keep their lines. The edits have to fit (EditSet).
EditedText applyFormatted(llvm::StringRef Path, llvm::StringRef Text,
                          const clang::tooling::Replacements &Edits, llvm::ArrayRef<Fix> Additions);

} // namespace opsig

#endif
