//===- HelpTables.h - What help says besides the options' own texts ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// name of an option => the group it is listed in
// subcommand => examples, what each exit status means
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_HELP_HELPTABLES_H
#define OPSIG_TOOL_HELP_HELPTABLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace opsig {

/// Titles of groups, in the order in which help prints them. The first one has the options that
/// only their subcommand has.
llvm::ArrayRef<llvm::StringRef> optionGroups();
/// One of optionGroups().
llvm::StringRef optionGroup(llvm::StringRef Option);

struct HelpExample {
  llvm::StringRef Command; ///< "opsig check csrc"
  llvm::StringRef What;
};
/// For a subcommand ("gen aten"); "" for opsig itself: where to start.
llvm::ArrayRef<HelpExample> helpExamples(llvm::StringRef Words);

/// What status 1 means for a subcommand; "" if it never ends with 1.
llvm::StringRef findingsStatus(llvm::StringRef Words);

inline constexpr llvm::StringLiteral CleanStatus = "success";
inline constexpr llvm::StringLiteral UnusableStatus =
    "the arguments or the input could not be used; the reason is on standard error";

} // namespace opsig

#endif
