//===- TextReports.h - Findings in short lines ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings => a line each | a line each below the name of their file | counts by check
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_REPORT_TEXTREPORTS_H
#define OPSIG_REPORT_TEXTREPORTS_H

#include "opsig/Support/Finding.h"

namespace opsig {

/// Prints "FILE:LINE:COLUMN: LEVEL: MESSAGE [opsig-ID]" for each finding.
void printConcise(llvm::raw_ostream &OS, llvm::ArrayRef<Finding> Hits, const SourceFiles &Files,
                  const PrintOptions &Options);

/// Prints the name of each file, and below it "  LINE:COLUMN LEVEL MESSAGE [opsig-ID]" for each of
/// its findings. An empty line separates files.
void printGrouped(llvm::raw_ostream &OS, llvm::ArrayRef<Finding> Hits, const SourceFiles &Files,
                  const PrintOptions &Options);

/// How often a check was reported.
struct CheckCount {
  FindingId Id;
  size_t Count = 0;
  size_t Fixable = 0; ///< findings that have a fix
};

/// One entry per check of \p Hits: the most frequent first, then by name.
std::vector<CheckCount> countByCheck(llvm::ArrayRef<Finding> Hits);

/// Prints "COUNT opsig-ID [N fixable]" per check, in columns.
void printStatistics(llvm::raw_ostream &OS, llvm::ArrayRef<Finding> Hits);

/// Prints an object per check and line: check, count, fixable.
void printStatisticsJson(llvm::raw_ostream &OS, llvm::ArrayRef<Finding> Hits);

} // namespace opsig

#endif
