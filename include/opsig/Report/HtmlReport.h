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
  /// The address of a check's page; "" where none is known.
  std::function<std::string(FindingId)> PageOf = {};
  /// Where a host shows lines of files: "https://host/project/blob/main/{path}#L{line}", with the
  /// path as seen from Folder; "": lines are no links.
  std::string UrlTemplate = "", Folder = "";
};

/// Prints the page. It refers to nothing outside but pages of checks and lines of files, reads
/// without JavaScript (only the filter needs it), and follows the reader's choice of light or dark.
/// Two runs over the same input print the same bytes.
void printHtml(llvm::raw_ostream &OS, const SiftedFindings &All, const SourceFiles &Files,
               const HtmlRun &Run);

} // namespace opsig

#endif
