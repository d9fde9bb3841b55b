//===- SkippedConditions.h - What turns on lines that are left out ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// directives of a file => branches, each with the conditions that it needs
//   => which macros to define, and which not, so that they hold
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_REGISTRATIONS_SKIPPEDCONDITIONS_H
#define OPSIG_LIB_FRONTEND_REGISTRATIONS_SKIPPEDCONDITIONS_H

#include "Decls/RawText.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace opsig {

/// The lines from one directive of an `#if` to the next of the same one.
struct ConditionalBranch {
  uint32_t Begin = 0, End = 0; ///< End: of the directive that follows
  const RawDirective *Directive = nullptr;
  int Parent = -1; ///< the branch that this one stands in
  /// Conditions of this `#if` and `#elif`s, and whether each has to hold.
  std::vector<std::pair<const RawDirective *, bool>> Needs = {};
};

/// In the order in which they begin, so that the last one around a place is the innermost.
std::vector<ConditionalBranch> conditionalBranches(llvm::ArrayRef<RawDirective> Directives);

/// A macro's value, as conditions compare it with numbers.
struct MacroBound {
  clang::tok::TokenKind Relation; ///< ==, !=, <, <=, >, >=
  int64_t Than;
  bool IsWanted = true; ///< or that it does not hold

  bool holds(int64_t Value) const;
};

/// What conditions ask of one macro.
struct MacroNeeds {
  std::optional<bool> Defined; ///< without value: as the bounds have it
  std::vector<MacroBound> Bounds = {};

  /// "-DACME=7", "-UACME"; nothing where no value does all.
  std::optional<std::string> flag(llvm::StringRef Name) const;
};

/// The macros that make conditions hold, as far as they do not contradict each other.
class MacroWishes {
public:
  enum Answer : uint8_t {
    Granted, ///< flags() turn the branch on
    Dead,    ///< nothing turns it on: `#if 0`
    Other,   ///< it is of another release, platform or compiler
    Denied,  ///< another wish or the form of the condition stands in the way
  };

  /// Wishes that branch \p Index is compiled.
  Answer wish(llvm::ArrayRef<ConditionalBranch> Branches, int Index);
  /// "-DWITH_CUDA", "-UCPU_ONLY", "-DACME_LEVEL=3".
  std::vector<std::string> flags() const;

private:
  /// Of each macro so that some flag does it.
  std::map<std::string, MacroNeeds> Needs;
};

} // namespace opsig

#endif
