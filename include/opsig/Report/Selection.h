//===- Selection.h - Which checks a user wants, and how loud ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "-*,opsig-kernel-signature" => CheckGlobs => is this check wanted?
// "opsig-unknown-kernel=error" => LevelRule => the level of a finding
//
// Names of checks are those in brackets behind a message: "opsig-" and the id.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_REPORT_SELECTION_H
#define OPSIG_REPORT_SELECTION_H

#include "opsig/Support/Finding.h"

namespace opsig {

/// What is checked where nobody chooses. A check that it leaves out has to be asked for: most of
/// what it finds in projects that work is right as it is, or nobody who has no use for the stable
/// ABI wants to hear of it.
inline constexpr llvm::StringLiteral DefaultChecks =
    "*,-opsig-backend-lost-autograd,-opsig-registered-kernel-reference,-opsig-mutation-possible,"
    "-opsig-mutation-unwritten,-opsig-alias-possible,-opsig-unstable-*";

/// Whether \p Name is \p Glob, in which '*' stands for any characters and everything else for
/// itself.
bool globMatches(llvm::StringRef Glob, llvm::StringRef Name);

/// "opsig-kernel-signature".
std::string checkName(FindingId Id);

/// A list of globs as clang-tidy reads it: separated by commas or line breaks, blanks around them
/// do not count, a '-' in front takes away, and the last glob that matches decides.
class CheckGlobs {
public:
  /// Nothing is contained in the empty list.
  explicit CheckGlobs(llvm::StringRef List = "") { append(List); }

  /// Adds \p List behind what is there.
  void append(llvm::StringRef List);
  bool contains(llvm::StringRef Check) const;

  /// The globs, without '-', that match the name of no check, in order.
  std::vector<std::string> unknown() const;

private:
  struct Item {
    bool Expected;
    std::string Glob;
  };
  std::vector<Item> Items;
};

/// Whether one of the checks is wanted that say what kernels do, and not only what they are.
bool looksIntoBodies(const CheckGlobs &Checks);

/// Whether one of the checks is wanted that name what is not of the stable ABI.
bool looksForUnstable(const CheckGlobs &Checks);

/// Checks that match Glob have this level instead of their own.
struct LevelRule {
  std::string Glob;
  Level Severity;
};

/// Reads "GLOB=error" or "GLOB=warning". Fails with what is wrong about \p Text.
llvm::Expected<LevelRule> parseLevelRule(llvm::StringRef Text);

/// The name that \p Check may have been meant to be, as in "; did you mean 'opsig-...'?"; or
/// nothing.
std::string didYouMeanCheck(llvm::StringRef Check);

} // namespace opsig

#endif
