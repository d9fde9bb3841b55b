//===- SiftFindings.h - Which findings the user sees -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings => one name for each file (unifyFiles) => sorted, repeats dropped
//   => checks that are on, at their level => minus comments, paths, baseline => Findings
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_REPORT_SIFTFINDINGS_H
#define OPSIG_REPORT_SIFTFINDINGS_H

#include "opsig/Operators/ProjectConfig.h"
#include "opsig/Report/Baseline.h"
#include "opsig/Report/Selection.h"

namespace opsig {

enum class SuppressedBy : uint8_t { Comment, Path, Baseline };

/// A finding that is not reported.
struct SuppressedFinding {
  Finding Hit;
  SuppressedBy Why;
  Place Comment; ///< where Why is Comment
};

struct SiftedFindings {
  Findings Reported;
  std::vector<SuppressedFinding> Suppressed;

  size_t count(SuppressedBy Why) const;
};

struct FindingFilter {
  CheckGlobs Checks{DefaultChecks};
  /// The last matching rule counts.
  std::vector<LevelRule> Levels;
  /// Findings in these files are not reported: absolute patterns (pathGlobCovers).
  std::vector<std::string> SuppressedPaths;
  std::optional<Baseline> Known;
};

/// The settings of .opsig.yaml about findings. Invalid settings are skipped; opsig check reports
/// them.
FindingFilter filterOf(const ProjectConfig &Project);

/// Gives each file one name, however it was reached: the name in \p Preferred if one leads to the
/// same file, else the first one in alphabetical order.
void unifyFiles(Findings &Diags, llvm::ArrayRef<std::string> Preferred, const SourceFiles &Files);

/// Sorts and divides \p Diags. Also reports mistakes in suppressing comments of the files that they
/// point into and of \p Commented. Removes what it finds from \p Filter.Known.
SiftedFindings sift(Findings Diags, FindingFilter &Filter, const SourceFiles &Files,
                    llvm::ArrayRef<SourceId> Commented = {});

} // namespace opsig

#endif
