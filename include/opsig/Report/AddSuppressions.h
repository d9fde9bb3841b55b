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

/// The findings of \p Hits, in their order, with edits that suppress them instead of their fixes:
/// a comment on a line of its own above the line that a finding is about, in the language of the
/// file, with \p Reason, which is one line of text. The first finding of a line has the comment for
/// all of that line. Findings without a place in a file, and those inside a macro's continued
/// lines, get no edit. Whoever makes the edits has to verify them: a line may be part of a string.
Findings withSuppressions(llvm::ArrayRef<Finding> Hits, llvm::StringRef Reason,
                          const SourceFiles &Files);

} // namespace opsig

#endif
