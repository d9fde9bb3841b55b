//===- DiffReport.h - What a diff says to people ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DiffOutcome => DiffReport: sections in the order of how much they break, each a list of items
//   => text | Markdown | HTML
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_DIFFREPORT_H
#define OPSIG_TOOL_DIFFREPORT_H

#include "diff/DiffRun.h"

namespace opsig {

/// What one side has, and the other.
struct DiffPair {
  std::string Label; ///< "dispatcher"
  std::string From;  ///< "" where there was none
  std::string To;
};

struct DiffItem {
  std::string Head;               ///< the operator; "" for a list of operators alone
  std::string Remark;             ///< whom it breaks, how sure it is, where it stands
  std::vector<std::string> Lines; ///< what changed, a line each
  std::vector<DiffPair> Pairs;    ///< signatures
  std::vector<std::string> Names; ///< operators to which Head applies
};

struct DiffSection {
  std::string Title;
  std::string Intro; ///< a sentence for who does not know; may be empty
  std::vector<DiffItem> Items;
};

struct DiffReport {
  std::string Title;    ///< "PyTorch X => Y"
  std::string Old, New; ///< the files
  std::vector<DiffSection> Sections;
  std::string Counts; ///< the summary, which stands first
};

struct DiffChoice {
  bool OnlyBreaking = false;
};

DiffReport makeReport(const DiffOutcome &Outcome, const DiffChoice &Choice);

/// The kernels of FILEs as a section like the others.
DiffSection makeKernelSection(const DiffOutcome &Outcome);

void printDiffText(llvm::raw_ostream &OS, const DiffReport &Report, unsigned Columns);
void printDiffMarkdown(llvm::raw_ostream &OS, const DiffReport &Report);
void printDiffHtml(llvm::raw_ostream &OS, const DiffReport &Report);
/// The kernels of FILEs, findings as `check` prints them.
void printKernelsText(llvm::raw_ostream &OS, const DiffOutcome &Outcome);

/// "'demo::pool' is the kernel of 'pool', which is gone"
std::string orphanText(const OrphanedKernel &K, const ReleaseDiff &Diff);
/// "'at::symeig' is gone ...: call 'at::linalg_eigh'"
std::string upgradeText(const UpgradeEdit &Edit);
/// One object a line; the last one has the counts.
void printDiffJson(llvm::raw_ostream &OS, const DiffOutcome &Outcome, const DiffChoice &Choice);

struct DiffCount {
  llvm::StringRef Id;        ///< in JSON
  llvm::StringRef One, Many; ///< behind the number, in the summary
  size_t Count;
};

/// How many there are of each kind, in the order of the summary.
std::vector<DiffCount> diffCounts(const DiffOutcome &Outcome);

} // namespace opsig

#endif
