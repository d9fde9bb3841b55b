//===- Suppress.h - Comments that suppress findings ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text of a file => SuppressingComments => which of them suppresses a check at a line?
//
//   NOLINT, NOLINTNEXTLINE, NOLINTBEGIN ... NOLINTEND   as clang-tidy reads them, in any file
//   # noqa, # noqa: opsig-python-default               as flake8 and ruff read them, in Python
//   // opsig: allow(kernel-signature)                   in C++, or
//   # opsig: allow(missing-kernel)                      in YAML: behind code for that line; on a
//                                                       line of its own for what begins below it
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_REPORT_SUPPRESS_H
#define OPSIG_REPORT_SUPPRESS_H

#include "opsig/Report/Selection.h"
#include <map>

namespace opsig {

/// Whether \p Text may contain a comment that should suppress findings.
bool mayHaveSuppressions(llvm::StringRef Text);

/// The comments of one file.
class SuppressingComments {
public:
  /// \p File must stay in \p Files while this object is used.
  SuppressingComments(SourceId File, const SourceFiles &Files);

  /// The comment that suppresses \p Check ("opsig-kernel-signature") in \p Line; invalid if there
  /// is none.
  Place suppresses(llvm::StringRef Check, uint32_t Line) const;

  /// The comment that should suppress \p Check in \p Line but has the wrong form; invalid if there
  /// is none.
  Place meansToSuppress(llvm::StringRef Check, uint32_t Line) const;

  /// Reports unknown-suppression for names of unknown checks, suppression-form for comments that
  /// suppress nothing as written, and unmatched-suppression for a NOLINTBEGIN or NOLINTEND without
  /// its counterpart, if they name checks of opsig.
  void reportMistakes(Findings &Diags) const;

  struct Mistake {
    FindingId Id;
    Place At;
    std::string Message;
    std::vector<Fix> Fixes = {};
  };

private:
  /// Checks are suppressed in the lines First..Last.
  struct Range {
    uint32_t First, Last;
    CheckGlobs Checks;
    Place Comment;
  };

  void readNoLints(SourceId File, const SourceFiles &Files);
  void readNoQas(SourceId File, const SourceFiles &Files);
  void readOtherToolsIgnores(SourceId File, const SourceFiles &Files);
  void readAllows(SourceId File, const SourceFiles &Files);

  void sortByLines();
  bool isSuppressed(size_t Range, llvm::StringRef Check, uint32_t Line) const;

  std::vector<Range> Ranges;
  std::vector<Range> Meant; ///< by comments that suppress nothing
  /// Indices of ranges: short ranges by each of their lines, and all others.
  std::map<uint32_t, std::vector<size_t>> ShortOnes;
  std::vector<size_t> LongOnes;
  std::vector<Mistake> Mistakes;
};

} // namespace opsig

#endif
