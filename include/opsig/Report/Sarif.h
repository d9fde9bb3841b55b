//===- Sarif.h - Findings for other programs --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings => one SARIF log: results, rules with their pages, fixes, suppressions
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_REPORT_SARIF_H
#define OPSIG_REPORT_SARIF_H

#include "opsig/Report/DocsLinks.h"
#include "opsig/Report/SiftFindings.h"
#include "opsig/Support/RunNote.h"

namespace opsig {

struct SarifRun {
  std::string Version; ///< of opsig
  /// The folder to which file names below it are relative.
  std::string Folder;
  /// All input could be read.
  bool Successful = true;
  /// Reported as notifications.
  std::vector<RunNote> Notes = {};
  DocsLinks Docs = {};
};

/// Prints a whole log file in the format SARIF 2.1.0: a result for each finding,
/// suppressed ones marked as such. Two runs over the same input print the same bytes.
void printSarif(llvm::raw_ostream &OS, const SiftedFindings &All, const SourceFiles &Files,
                const SarifRun &Run);

} // namespace opsig

#endif
