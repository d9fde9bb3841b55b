//===- BuildVariants.h - Files that are never in one program -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// what a project names as variants, targets of its build, what was found out
//   => are these two files ever parts of one program?
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_WORKSPACE_BUILDVARIANTS_H
#define OPSIG_WORKSPACE_BUILDVARIANTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <set>
#include <string>
#include <vector>

namespace opsig {

enum class Exclusivity : uint8_t {
  No,
  Targets, ///< of different targets, of which one may well be a part of the other
  Never,   ///< of different variants
};

/// An empty one keeps nothing apart. Files are known by their absolute paths.
class BuildVariants {
public:
  /// Folders, files, or patterns of both. A file is of the variant that says most about it: that
  /// names it, or else the folder that is the nearest one above it.
  void addVariants(llvm::ArrayRef<std::string> Names);
  /// All targets that \p File is compiled for.
  void addTargets(llvm::StringRef File, llvm::ArrayRef<std::string> Targets);
  /// One build compiles all of \p Files.
  void addBuild(llvm::ArrayRef<std::string> Files);
  /// No program has both.
  void addExclusive(llvm::StringRef L, llvm::StringRef R);

  /// \p L and \p R as somebody named them.
  Exclusivity between(llvm::StringRef L, llvm::StringRef R) const;
  bool empty() const { return Variants.empty() && TargetsOf.empty() && Excluding.empty(); }
  /// Some build compiles both.
  bool areBuilt(llvm::StringRef L, llvm::StringRef R) const;

private:
  llvm::StringRef variantOf(llvm::StringRef Absolute) const;

  std::vector<std::string> Variants;
  llvm::StringMap<std::set<std::string>> TargetsOf;
  std::vector<std::set<std::string, std::less<>>> Builds;
  std::set<std::pair<std::string, std::string>> Excluding; ///< both ways
};

/// The target that a build writes \p Object for, known by its folder; "" where that does not tell.
/// \p Directory is where the command runs.
std::string targetOfObject(llvm::StringRef Object, llvm::StringRef Directory);

} // namespace opsig

#endif
