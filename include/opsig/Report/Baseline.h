//===- Baseline.h - Findings that are known already -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// findings => keys (check, file, message, text of the line) => JSON file, one finding a line
// JSON file => Baseline => is this finding known?
//
// Keys contain no line numbers, so a finding stays known if lines are added or removed above it.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_REPORT_BASELINE_H
#define OPSIG_REPORT_BASELINE_H

#include "opsig/Support/Finding.h"
#include <map>

namespace opsig {

/// The properties by which findings of different runs are the same.
struct FindingKey {
  std::string File;  ///< see pathBelow
  std::string Check; ///< "opsig-kernel-signature"
  std::string Message;
  std::string Line; ///< hash of the line's text, blanks not counted; "" where there is no line

  friend auto operator<=>(const FindingKey &, const FindingKey &) = default;
};

/// \p Folder: the one that file names are relative to.
FindingKey findingKey(const Finding &D, const SourceFiles &Files, llvm::StringRef Folder);

/// 16 hexadecimal digits, the same on every machine and in every run.
std::string fingerprint(const FindingKey &Key);

/// Findings that are not reported again; each as often as the baseline lists it.
class Baseline {
public:
  /// Reads what writeBaseline() wrote. Fails with what is wrong about \p Text, without the name of
  /// its file.
  static llvm::Expected<Baseline> read(llvm::StringRef Text, llvm::StringRef Folder);

  /// Removes \p D from the list if it is there.
  bool take(const Finding &D, const SourceFiles &Files);
  /// The number of entries that were never matched: findings that no longer occur.
  size_t left() const;

private:
  std::map<FindingKey, size_t> Counts;
  std::string Folder;
};

/// Prints a baseline with exactly \p Findings, in alphabetical order.
void writeBaseline(llvm::raw_ostream &OS, llvm::ArrayRef<Finding> Hits, const SourceFiles &Files,
                   llvm::StringRef Folder);

} // namespace opsig

#endif
