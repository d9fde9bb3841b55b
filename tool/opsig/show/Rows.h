//===- Rows.h - Rows of the text forms of `opsig show` ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_SHOW_ROWS_H
#define OPSIG_TOOL_SHOW_ROWS_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

/// One row: a label in a column of its own.
void printRow(llvm::raw_ostream &OS, llvm::StringRef Label, const llvm::Twine &Text);

} // namespace opsig

#endif
