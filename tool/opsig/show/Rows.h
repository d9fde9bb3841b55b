//===- Rows.h - Rows of the text forms of `opsig show` ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_SHOW_ROWS_H
#define OPSIG_TOOL_SHOW_ROWS_H

#include "opsig/Support/SourceText.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

/// The operator that the rows are about.
void printTitle(llvm::raw_ostream &OS, llvm::StringRef Text);

/// One row: a label in a column of its own.
void printRow(llvm::raw_ostream &OS, llvm::StringRef Label, const llvm::Twine &Text);
/// The same with "file:line" between two texts; on a terminal that is a link.
void printPlaceRow(llvm::raw_ostream &OS, llvm::StringRef Label, const llvm::Twine &Before,
                   const Place &At, const SourceFiles &Files, const llvm::Twine &Behind = "");

} // namespace opsig

#endif
