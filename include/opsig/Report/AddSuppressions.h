//===- AddSuppressions.h - Comments instead of fixes ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// findings x a reason => the same findings, whose edits add `opsig: allow(...)` comments
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_REPORT_ADDSUPPRESSIONS_H
#define OPSIG_REPORT_ADDSUPPRESSIONS_H

#include "opsig/Support/Finding.h"

namespace opsig {

/// \p Hits in their order, each with an edit that suppresses it instead of its fix: a comment on a
/// line of its own above the finding's line, in the language of the file, with the one-line \p
/// Reason. The first finding of a line has the comment for all findings of that line. Findings
/// without a place in a file, and those inside a macro's continued lines, have no edit. Callers
/// must verify the edits, because a line may be part of a string.
Findings withSuppressions(llvm::ArrayRef<Finding> Hits, llvm::StringRef Reason,
                          const SourceFiles &Files);

} // namespace opsig

#endif
