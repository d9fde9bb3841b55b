//===- CheckList.h - All checks, in a list ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings.def, docs/diagnostics => CheckList => text | JSON | Markdown
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_EXPLAIN_CHECKLIST_H
#define OPSIG_TOOL_EXPLAIN_CHECKLIST_H

#include "opsig/Support/Finding.h"

namespace opsig {

struct CheckRow {
  FindingId Id;
  std::string Name; ///< "opsig-kernel-signature"
  Level Severity;
  bool OnByDefault;
  bool Fixed; ///< by `opsig check --fix`
  std::string Summary;
};

struct CheckGroup {
  llvm::StringRef Title;
  llvm::StringRef Commands; ///< that report what is in it: "check, sync"
  std::vector<CheckRow> Rows;
};

/// The checks that match one of \p Globs, or all where there are none; no group is empty.
std::vector<CheckGroup> listChecks(llvm::ArrayRef<std::string> Globs);

/// \p Columns: how many a line may have.
void printText(llvm::raw_ostream &OS, llvm::ArrayRef<CheckGroup> Groups, unsigned Columns);
/// One object a line: id, level, default, fix, group, commands, summary.
void printJson(llvm::raw_ostream &OS, llvm::ArrayRef<CheckGroup> Groups);
/// docs/diagnostics/README.md, with links to the pages.
void printMarkdown(llvm::raw_ostream &OS, llvm::ArrayRef<CheckGroup> Groups);

} // namespace opsig

#endif
