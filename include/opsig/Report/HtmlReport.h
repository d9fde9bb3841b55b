//===- HtmlReport.h - Findings as a page to be read -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings => one HTML page that stands alone: findings by file, each with its source line, notes
//   and what its fix changes; totals by check and by file; a filter by check, level and file
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_REPORT_HTMLREPORT_H
#define OPSIG_REPORT_HTMLREPORT_H

#include "opsig/Report/SiftFindings.h"
#include "opsig/Support/RunNote.h"
#include <functional>

namespace opsig {

struct HtmlRun {
  std::string Version; ///< of opsig
  /// All input could be read.
  bool Successful = true;
  std::vector<RunNote> Notes = {};
  /// The address of a check's page; "" if none is known.
  std::function<std::string(FindingId)> PageOf = {};
  /// Where a host shows lines of files: "https://host/project/blob/main/{path}#L{line}", with the
  /// relative to Folder; "": lines are not links
  std::string UrlTemplate = "", Folder = "";
};

/// Prints the page. It links only to pages of checks and lines of files, works without JavaScript
/// except for the filter, and follows the reader's preference for light or dark. Two runs with the
/// same input print the same bytes.
void printHtml(llvm::raw_ostream &OS, const SiftedFindings &All, const SourceFiles &Files,
               const HtmlRun &Run);

} // namespace opsig

#endif
