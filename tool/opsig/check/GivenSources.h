//===- GivenSources.h - Whether a run has all sources of its project ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// the files of a run, compile_commands.json, the project's folders => ProjectLayout
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_GIVENSOURCES_H
#define OPSIG_TOOL_GIVENSOURCES_H

#include "check/CheckSetup.h"
#include "opsig/Check/ProjectLayout.h"
#include "llvm/ADT/StringSet.h"

namespace opsig {

/// Looks into folders when it is asked for the first time. Has to outlive the layout.
class GivenSources {
public:
  /// Of \p Arguments, those that are folders, or --all, say that a whole project is meant.
  GivenSources(const CheckSetup &Setup, const CheckArguments &Arguments);

  ProjectLayout layout();

  /// What a user should know: why it was asked for all sources, and not all are there; "" otherwise.
  const std::string &note() const { return Note; }

private:
  bool hasAll();
  bool isMentioned(llvm::StringRef Word);
  bool findMissing();
  void lookAt(llvm::StringRef File);
  void miss(llvm::StringRef File, llvm::StringRef Why);

  const CheckSetup &Setup;
  bool WholeMeant = false;
  std::vector<std::string> Listed;
  llvm::StringSet<> Given;       ///< real paths
  llvm::StringSet<> ListedKinds; ///< of compile_commands.json
  std::optional<bool> All;
  std::vector<std::string> Unread; ///< C++ that may belong to other programs
  std::string Note;
};

} // namespace opsig

#endif
