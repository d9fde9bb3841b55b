//===- TidyChecks.h - opsig's checks for clang-tidy -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// enabled checks "opsig-*" x AST of a file => (AstCheck.h) findings => diagnostics of clang-tidy
//   what was read on the way => who listens, as an editor's server
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TIDY_TIDYCHECKS_H
#define OPSIG_TIDY_TIDYCHECKS_H

#include "opsig/Frontend/UnitFacts.h"
#include "opsig/Tidy/SchemaCache.h"
#include <functional>

namespace clang::tidy {
class ClangTidyCheckFactories;
}

namespace opsig {

/// The ids that C++ code of a single file can fire, in the order of the table. Those that need a
/// whole project are left to opsig check.
std::vector<FindingId> checksOfOneFile();

/// Flags by which code whose own find no headers of PyTorch finds those of the torch root, as seen
/// from the working directory. The folders are searched last: they hide nothing.
std::vector<std::string> torchHeaderFlags();

/// A file as a check has read it.
struct CheckedUnit {
  std::string Path; ///< absolute
  std::string Text; ///< of the main file
  UnitFacts Unit;
  SchemasOfFile Of; ///< usable ones
};

/// Called by the threads that check files, for each file with usable schemas.
using UnitListener = std::function<void(CheckedUnit)>;

/// The check that reports nothing, and with which a UnitListener hears of files although the user
/// wants none of the others.
inline constexpr llvm::StringLiteral ListeningCheck = "opsig-facts";

/// Registers a check for each of them, all with one SchemaCache, which lives as long as
/// \p Factories. The first one that is enabled does the work for all. ListeningCheck is only there
/// where \p Listener is.
void addOpsigChecks(clang::tidy::ClangTidyCheckFactories &Factories, UnitListener Listener = {});

} // namespace opsig

#endif
