//===- ExportFixes.h - Fixes for clang-apply-replacements -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding* => YAML as clang-tidy --export-fixes writes it
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDIT_EXPORTFIXES_H
#define OPSIG_EDIT_EXPORTFIXES_H

#include "opsig/Support/Finding.h"

namespace opsig {

/// Prints \p Findings with absolute paths. Fixes that applyFixes() would refuse are left out, since
/// clang-apply-replacements gives up a file in which two of them conflict.
void exportFixes(llvm::raw_ostream &OS, llvm::ArrayRef<Finding> Hits, const SourceFiles &Files);

} // namespace opsig

#endif
