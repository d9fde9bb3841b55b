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

/// The checks that run by default. The others must be enabled: most of their findings in working
/// projects are intended, or concern only users of the stable ABI.
inline constexpr llvm::StringLiteral DefaultChecks =
    "*,-opsig-backend-lost-autograd,-opsig-registered-kernel-reference,-opsig-mutation-possible,"
    "-opsig-mutation-unwritten,-opsig-alias-possible,-opsig-unstable-*";

/// Whether \p Name matches \p Glob, in which '*' matches any characters and every other character
/// matches itself.
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

/// Whether a check is enabled that needs function bodies.
bool looksIntoBodies(const CheckGlobs &Checks);

/// Whether a check is enabled that reports unstable API.
bool looksForUnstable(const CheckGlobs &Checks);

/// Checks that match Glob have this level instead of the default.
struct LevelRule {
  std::string Glob;
  Level Severity;
};

/// Reads "GLOB=error" or "GLOB=warning". Fails with what is wrong about \p Text, which is from
/// \p Where.
llvm::Expected<LevelRule> parseLevelRule(llvm::StringRef Text, llvm::StringRef Where = "--level");

/// "unknown check 'X' (WHERE)", with the check that is probably meant.
llvm::Error unknownCheck(llvm::StringRef Check, llvm::StringRef Where);

/// The check that \p Check probably means, as in "; did you mean 'opsig-...'?"; or nothing.
std::string didYouMeanCheck(llvm::StringRef Check);

} // namespace opsig

#endif
