//===- SuppressInternal.h - Comments of opsig's own form --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_REPORT_SUPPRESSINTERNAL_H
#define OPSIG_LIB_REPORT_SUPPRESSINTERNAL_H

#include "opsig/Support/SourceText.h"
#include <string>
#include <vector>

namespace opsig {

/// One `opsig: allow(LIST)`.
struct AllowComment {
  Place At;             ///< from "opsig:" to the parenthesis
  llvm::StringRef List; ///< between the parentheses
  Place ListAt;
  uint32_t First, Last; ///< the lines it is about
};

/// A comment that is meant to silence something, and is not of a form that does.
struct WrongAllow {
  Place At; ///< what is wrong with it
  std::string Message;
  /// What it says in the right form, where it names checks; then First and Last are as in
  /// AllowComment, and List is the checks.
  std::string Right;
  llvm::StringRef List;
  uint32_t First = 0, Last = 0;
};

/// Comments of one file.
struct OwnComments {
  std::vector<AllowComment> Allows;
  std::vector<WrongAllow> Wrong;
};

/// One `# noqa`.
struct NoQa {
  Place At;
  llvm::StringRef Text;
  bool HasList = false; ///< without one it is about everything
  std::vector<llvm::StringRef> Names;
  uint32_t First = 0; ///< the lines up to its own
};

/// All of them in a Python file, in order.
std::vector<NoQa> noQaComments(SourceId File, const SourceFiles &Files);

/// One comment for a type checker or another linter that names checks of opsig's, such as
/// `# type: ignore[opsig-python-default]`.
struct OtherToolsIgnore {
  Place At;             ///< from the tool's name to the end of the list
  llvm::StringRef Verb; ///< "type: ignore"
  std::vector<llvm::StringRef> Names, OwnNames;
  uint32_t First = 0; ///< the lines up to its own
};

/// All of them in a Python file, in order.
std::vector<OtherToolsIgnore> otherToolsIgnores(SourceId File, const SourceFiles &Files);

/// How a comment begins in the language of the file of that name: "//" or "#".
llvm::StringRef commentStart(llvm::StringRef File);

/// All of them in a file, in order. What follows the parenthesis is the user's reason.
OwnComments allowComments(SourceId File, const SourceFiles &Files);

} // namespace opsig

#endif
