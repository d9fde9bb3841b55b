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
  /// The last one that matches counts.
  std::vector<LevelRule> Levels;
  /// Findings in these files are not reported: absolute patterns (pathGlobCovers).
  std::vector<std::string> SuppressedPaths;
  std::optional<Baseline> Known;
};

/// What .opsig.yaml says of findings. What cannot be used there is left out; opsig check complains
/// about it.
FindingFilter filterOf(const ProjectConfig &Project);

/// Gives each file one name, however it was reached: that of \p Preferred if one of them leads to
/// the same file, else the one that comes first in alphabetical order.
void unifyFiles(Findings &Diags, llvm::ArrayRef<std::string> Preferred, const SourceFiles &Files);

/// Sorts \p Diags and divides them. Mistakes in comments of the files that they point into, and of
/// \p Commented, are reported, too. Takes what it finds off \p Filter.Known.
SiftedFindings sift(Findings Diags, FindingFilter &Filter, const SourceFiles &Files,
                    llvm::ArrayRef<SourceId> Commented = {});

} // namespace opsig

#endif
