//===- StabilizeReport.h - How much of a project moves to the stable ABI ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StabilizeOutcome => StableSummary => text | JSON | markdown; findings about what is left; defines
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_STABILIZE_STABILIZEREPORT_H
#define OPSIG_TOOL_STABILIZE_STABILIZEREPORT_H

#include "check/CheckOutput.h"
#include "stabilize/StabilizeRun.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

struct StableSummary {
  struct Counts {
    size_t Moves = 0, Review = 0, Stays = 0, NotRead = 0;
    /// Those that move in files whose new text Clang takes.
    size_t Compiles = 0;
    size_t total() const { return Moves + Review + Stays + NotRead; }
  };
  Counts All;
  std::map<std::string, Counts> Files;
  /// Names that stay, and how often.
  std::map<std::string, std::pair<size_t, std::string>> Left;
  /// Files of whose new text Clang says something.
  std::set<std::string> Broken;
  /// What Clang says of the new texts besides, and how often.
  std::map<std::string, size_t> Errors;

  size_t total() const { return All.total(); }
  /// "12 uses of unstable API moved in 3 files, 1 needs review; 2 left".
  std::string line(size_t NumFiles, bool DryRun) const;
};

StableSummary summarize(const StabilizeOutcome &Outcome);
void printReport(llvm::raw_ostream &OS, const StableSummary &Summary,
                 const StabilizeOutcome &Outcome, ReportFormat Format);

/// What is not moved, or needs review.
Findings leftFindings(const StabilizeOutcome &Outcome);

/// What the build needs, to be pasted into CMakeLists.txt and setup.py.
void printDefines(llvm::raw_ostream &OS, const StabilizeOutcome &Outcome);

} // namespace opsig

#endif
