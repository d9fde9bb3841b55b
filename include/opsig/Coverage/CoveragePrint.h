//===- CoveragePrint.h - Coverage to be read ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CoverageReport => text | markdown | JSON | an HTML page that stands alone
//
// Text, markdown and the page put keys with the same cells into one column.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_COVERAGE_COVERAGEPRINT_H
#define OPSIG_COVERAGE_COVERAGEPRINT_H

#include "opsig/Coverage/Coverage.h"
#include "opsig/Support/RunNote.h"
#include "opsig/Support/TextLayout.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

/// The number of operators that each key has served how, then columns, a line for each row.
void printCoverageText(llvm::raw_ostream &OS, const CoverageReport &Report,
                       const TextStyle &Style = {});

/// The same as tables. Keys and services only are in it that are there.
void printCoverageMarkdown(llvm::raw_ostream &OS, const CoverageReport &Report);

/// An object a line. The first: keys, operators (how many), counts (by key, by service). Then one
/// for each row: op, kernels (name, file, line, column), cells: by key served (Service), rule (as
/// the dispatcher's own tables call it), kernel (a number in kernels; not where there is none).
void printCoverageJson(llvm::raw_ostream &OS, const CoverageReport &Report);

struct CoveragePageRun {
  std::string Version; ///< of opsig
  std::vector<RunNote> Notes = {};
  /// The reference to where a kernel stands, as it is to be written; "" for none.
  llvm::function_ref<std::string(const CoveredKernel &)> Link;
  /// The operator is one of PyTorch's core set, which a backend needs first.
  llvm::function_ref<bool(const CoveredOperator &)> IsCore = nullptr;
};
void printCoverageHtml(llvm::raw_ostream &OS, const CoverageReport &Report,
                       const CoveragePageRun &Run);

} // namespace opsig

#endif
