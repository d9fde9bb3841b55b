//===- SinceReport.h - What a diff of two revisions says ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SinceOutcome => DiffReport (text | Markdown | HTML) | JSON lines
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_SINCEREPORT_H
#define OPSIG_TOOL_SINCEREPORT_H

#include "diff/DiffReport.h"
#include "diff/SinceRun.h"

namespace opsig {

DiffReport makeSinceReport(const SinceOutcome &Outcome, const DiffChoice &Choice);
/// One object a line; the last one has the counts.
void printSinceJson(llvm::raw_ostream &OS, const SinceOutcome &Outcome, const DiffChoice &Choice);

} // namespace opsig

#endif
