//===- ProjectDiff.h - What changes in a project's own operators ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// operators of a project, old and new => ProjectDiff: each operator that changed, and whether calls
//   survive it by libtorch's rule (Schema/Compatibility.h)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_RELEASEDIFF_PROJECTDIFF_H
#define OPSIG_RELEASEDIFF_PROJECTDIFF_H

#include "opsig/Schema/Compatibility.h"
#include "opsig/Support/SourceText.h"
#include <set>

namespace opsig {

/// An operator that a project defines.
struct ProjectOperator {
  std::string Name; ///< "ns::add.out"
  /// None where it could not be read.
  std::optional<ComparedSchema> Schema;
  Place At;

  llvm::StringRef operatorNamespace() const { return llvm::StringRef(Name).split("::").first; }
  /// "ns::add.out(Tensor self) -> Tensor"; the name alone where the schema is not known.
  std::string str() const;
};

struct ProjectOperators {
  std::vector<ProjectOperator> All;
  /// Namespaces that may have more operators than All; with AnyOpen, all of them.
  std::set<std::string> Open;
  bool AnyOpen = false;

  bool isOpen(llvm::StringRef Namespace) const {
    return AnyOpen || Open.count(Namespace.str()) != 0;
  }
};

struct ProjectChange {
  enum Kind : uint8_t {
    Removed,
    Breaking,   ///< a call that was taken may fail, or mean something else
    Compatible, ///< calls that were taken still are
    Added,
    Unknown, ///< a schema could not be read, or where the operator would be was not read
  } Is;
  const ProjectOperator *Old = nullptr;
  const ProjectOperator *New = nullptr;
  std::string Why; ///< of Breaking and Unknown
  /// Of Breaking and Compatible: why code that is written for the new schema may not run with the
  /// old one; "" where it does.
  std::string WhyNotForward;

  const ProjectOperator &shown() const { return New ? *New : *Old; }
  bool breaks() const { return Is == Removed || Is == Breaking; }
};
/// "removed", "breaking", "compatible", "added", "unknown".
llvm::StringRef toString(ProjectChange::Kind Kind);

struct ProjectDiff {
  /// In the order of Kind; of one kind in the order of the names.
  std::vector<ProjectChange> Changes;
  size_t Unchanged = 0;

  size_t count(ProjectChange::Kind Kind) const;
  bool breaks() const;
};

/// Both must outlive the result. Of several operators of one name the first counts.
ProjectDiff compareProjects(const ProjectOperators &Old, const ProjectOperators &New);

} // namespace opsig

#endif
