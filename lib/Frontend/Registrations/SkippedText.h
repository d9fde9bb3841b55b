//===- SkippedText.h - What stands where a condition is off -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tokens of a file x what Clang left out => functions that are defined there
// (SkippedDefinitions.cpp),
//   registrations and what turns them on (SkippedText.cpp)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_REGISTRATIONS_SKIPPEDTEXT_H
#define OPSIG_LIB_FRONTEND_REGISTRATIONS_SKIPPEDTEXT_H

#include "Decls/RawText.h"
#include "opsig/Frontend/FromAst.h"
#include "opsig/Frontend/UnitFacts.h"

namespace opsig {

/// A file of which a condition leaves something out.
struct SkippedFile {
  std::string Path; ///< as UnitFacts::Files has it
  RawFile Text;
  llvm::ArrayRef<SkippedLines> Lines;
};

/// Registrations that a reading did not see.
struct SkippedRegistrations {
  /// The files that spans point into.
  std::vector<std::string> Files;
  /// What their words say; entries are TextOnly. A block of which the compiler saw the rest has its
  /// place.
  std::vector<RegistrationBlock> Blocks;
  std::vector<SkippedBranch> Branches;
  /// What turns on as many of them as can be.
  std::vector<std::string> Flags;
};

/// By name.
std::vector<SkippedDefinition> skippedDefinitions(const RawFile &Main,
                                                  llvm::ArrayRef<SkippedLines> Skipped);

/// \p Unit is what was read of the rest. Of headers only blocks and calls on them count, so that no
/// declaration has each file that includes it read twice.
SkippedRegistrations skippedRegistrations(llvm::ArrayRef<SkippedFile> Files, const UnitFacts &Unit);

/// Has spans of \p Read point into \p Files, which gets what it lacks.
void moveSpans(SkippedRegistrations &Read, std::vector<std::string> &Files);

} // namespace opsig

#endif
