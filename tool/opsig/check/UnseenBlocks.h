//===- UnseenBlocks.h - Registrations that stand written and were not read -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// texts of a run's files, what was read of them => UnreadRegistration*, arguments of which nothing
//   was read, and what to do about it
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_UNSEENBLOCKS_H
#define OPSIG_TOOL_UNSEENBLOCKS_H

#include "opsig/Check/Comparison.h"
#include "opsig/Frontend/UnitFacts.h"
#include "opsig/Workspace/InputFiles.h"
#include "llvm/ADT/StringMap.h"

namespace opsig {

class UnseenBlocks {
public:
  /// \p Files have the texts of \p Units; those of \p Python are read.
  UnseenBlocks(llvm::ArrayRef<UnitFacts> Units, llvm::ArrayRef<std::string> Python,
               SourceFiles &Files);

  /// Counts, too, what stands in headers of folders in \p Groups that no file includes.
  void lookAtHeaders(llvm::ArrayRef<InputGroup> Groups, llvm::ArrayRef<UnitFacts> Units,
                     SourceFiles &Files);

  const std::vector<UnreadRegistration> &all() const { return All; }

  /// One message for each of \p Groups in which registrations stand written, and no file has one
  /// that was read; and for each file, named as such, whose syntax errors leave nothing of it.
  std::vector<std::string> unreadable(llvm::ArrayRef<InputGroup> Groups) const;

  /// One message for each of \p Groups that registers kernels, where errors or missing headers
  /// hide the types of all of them.
  std::vector<std::string> withoutKernels(llvm::ArrayRef<InputGroup> Groups) const;

private:
  struct FileState {
    bool HasRead = false;     ///< some registration was
    bool HasKernel = false;   ///< some registered kernel was
    size_t HiddenKernels = 0; ///< registered kernels that errors in the file hide
    std::string WhyHidden, HiddenAdvice;
    std::vector<std::string> Whys; ///< of each that was not
    std::string Advice;
    std::string SyntaxError; ///< the first, where nothing of the file was read
    std::string WhyUnread;   ///< of a Python file of which nothing was read
  };
  /// Of the files of a group that have one.
  std::vector<const FileState *> statesOf(const InputGroup &Group) const;
  void lookAt(const UnitFacts &Unit, SourceFiles &Files);
  void lookAtBranches(const UnitFacts &Unit, llvm::StringRef Text);
  void lookAtPython(llvm::StringRef Name, const UnitFacts *Unit, SourceFiles &Files);
  std::string messageFor(const InputGroup &Group) const;
  std::string kernelMessageFor(const InputGroup &Group) const;

  std::vector<UnreadRegistration> All;
  llvm::StringMap<FileState> States; ///< by the file's name
};

/// "a in 2 cases; b; ...": the most frequent first, at most three.
std::string reasonsText(llvm::ArrayRef<std::string> All);

/// Why \p Unit was read in part, in few words.
std::string shortReason(const UnitFacts &Unit);

} // namespace opsig

#endif
