//===- ReportPlaces.h - Places and identities as other programs count them --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_REPORT_REPORTPLACES_H
#define OPSIG_LIB_REPORT_REPORTPLACES_H

#include "opsig/Report/Baseline.h"
#include <map>

namespace opsig {

/// The column of byte \p Byte of a line, counted from 1 in characters. A byte order mark is not
/// part of the text.
int64_t characterColumn(const SourceFiles &Files, SourceId File, uint32_t Line, uint32_t Byte);

/// A name for each finding of a run that stays the same where lines come and go above it.
class FindingNames {
public:
  FindingNames(const SourceFiles &Files, llvm::StringRef Folder) : Files(Files), Folder(Folder) {}

  /// "0123456789abcdef:2": the number tells findings apart that differ in their places only.
  std::string next(const Finding &D);

private:
  const SourceFiles &Files;
  llvm::StringRef Folder;
  std::map<std::string, unsigned> Counts;
};

} // namespace opsig

#endif
