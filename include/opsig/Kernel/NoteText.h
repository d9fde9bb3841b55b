//===- NoteText.h - Which texts a parse reads --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// file + compile command => TranslationUnit (Parse.h), and on the way each file of the project
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_KERNEL_NOTETEXT_H
#define OPSIG_KERNEL_NOTETEXT_H

#include "opsig/Kernel/Parse.h"

namespace opsig {

/// Is told the absolute path and the text of a file, once for every name that it is included by.
/// Called by several threads.
using NoteText = std::function<void(llvm::StringRef, llvm::StringRef)>;

/// The same as without \p Note, which may be empty.
TranslationUnit parseKernels(const ParseJob &Job, const ParseOptions &Options,
                             const NoteText &Note);

} // namespace opsig

#endif
