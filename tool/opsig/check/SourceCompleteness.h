//===- SourceCompleteness.h - Whether a run has all sources of its project ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// the files of a run, compile_commands.json, the project's folders => ProjectLayout
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_GIVENSOURCES_H
#define OPSIG_TOOL_GIVENSOURCES_H

#include "check/CheckSetup.h"
#include "opsig/Workspace/ProjectLayout.h"
#include "llvm/ADT/StringSet.h"

namespace opsig {

/// The words of source texts, as far as they may be names or be made to some.
class WordTable {
public:
  void add(llvm::StringRef Text);
  /// \p Name is one, or begins or ends with what a macro pastes.
  bool contains(llvm::StringRef Name) const;

private:
  llvm::StringSet<> Words, Beginnings, Ends;
};

/// Looks into folders when it is asked for the first time. Has to outlive the layout.
class SourceCompleteness {
public:
  /// \p Files were read here or elsewhere. Of \p Arguments, those that are folders, or --all, say
  /// that a whole project is meant; so do files that are all of compile_commands.json.
  SourceCompleteness(const CheckSetup &Setup, const CheckArguments &Arguments,
                     std::vector<std::string> Files);

  /// \p Units are of all files that were read to their end, Python's among them.
  ProjectLayout layout(llvm::ArrayRef<UnitFacts> Units);

  /// What a user should know: why it was asked for all sources, and not all are there; ""
  /// otherwise.
  const std::string &note() const { return Note; }

private:
  bool hasAll();
  bool isMentioned(llvm::StringRef Word);
  bool isMentionedOutside(llvm::StringRef Scope, llvm::StringRef Name);
  bool mayBeDefinedBeside(llvm::StringRef Name, llvm::ArrayRef<std::string> Known) const;
  std::string mayHaveFake(llvm::StringRef Op);
  std::string packageOf(llvm::StringRef File) const;
  /// The sources that setup.py names for one extension are one build. Asked only where two sources
  /// have a TORCH_LIBRARY block of one namespace.
  void addExtensions(llvm::ArrayRef<UnitFacts> Units, BuildVariants &Programs);
  void findFakes();
  bool findMissing();
  void lookAt(llvm::StringRef File);
  bool isLeftOut(llvm::StringRef File) const;
  void miss(llvm::StringRef File, llvm::StringRef Why);

  const CheckSetup &Setup;
  std::vector<std::string> Files;
  bool AllListed;
  bool WholeMeant = false;
  std::vector<std::string> Listed;
  llvm::StringSet<> Given;       ///< real paths
  llvm::StringSet<> ListedKinds; ///< of compile_commands.json
  std::optional<bool> All;
  std::vector<std::string> Unread; ///< C++ that may belong to other programs
  /// By a word: all words of those sources that have it and were not given.
  llvm::StringMap<WordTable> OutsideWords;
  llvm::StringSet<> Read; ///< real paths of files that were read to their end
  /// Files that may give operators Meta kernels and were not read, with their words.
  std::optional<std::vector<std::pair<std::string, WordTable>>> Fakes;
  std::string Note;
};

} // namespace opsig

#endif
