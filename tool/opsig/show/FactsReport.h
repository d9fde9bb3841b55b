//===- FactsReport.h - What `opsig show --facts` prints ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ReleaseTraits => each list with its source, as JSON lines | text for people
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_FACTSREPORT_H
#define OPSIG_TOOL_FACTSREPORT_H

#include "opsig/Torchgen/Torchgen.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

/// Keys: list, variable, source ("torchgen", "dialect"), dialect, file, line, why, names, foreign,
/// ordered, differs.
void printFactsJson(llvm::raw_ostream &OS, const ReleaseTraits &Facts);
void printFactsText(llvm::raw_ostream &OS, const ReleaseTraits &Facts);

} // namespace opsig

#endif
