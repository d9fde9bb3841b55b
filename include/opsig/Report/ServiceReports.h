//===- ServiceReports.h - Findings for services that run builds -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings => workflow commands of GitHub | a Code Quality report of GitLab | a JUnit report
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_REPORT_SERVICEREPORTS_H
#define OPSIG_REPORT_SERVICEREPORTS_H

#include "opsig/Support/Finding.h"
#include "opsig/Support/RunNote.h"

namespace opsig {

struct ServiceRun {
  /// The folder of the repository, to which file names below it are relative.
  std::string Folder = ".";
  /// All input could be read.
  bool Successful = true;
  std::vector<RunNote> Notes = {};
};

/// Prints a line "::error file=...::message" or "::warning ..." per finding, and one per note of
/// the run. GitHub shows them beside the changed lines.
void printGitHub(llvm::raw_ostream &OS, llvm::ArrayRef<Finding> Hits, const SourceFiles &Files,
                 const ServiceRun &Run);

/// Prints a JSON array with an object per finding: description, check_name, fingerprint, severity
/// ("major" for errors, "minor" for warnings), location.
void printGitLab(llvm::raw_ostream &OS, llvm::ArrayRef<Finding> Hits, const SourceFiles &Files,
                 const ServiceRun &Run);

/// Prints an XML document with a test suite per file and a failed test per finding. Without a
/// finding there is one test, which passes. Input that could not be read is a test with an error.
void printJUnit(llvm::raw_ostream &OS, llvm::ArrayRef<Finding> Hits, const SourceFiles &Files,
                const ServiceRun &Run);

} // namespace opsig

#endif
