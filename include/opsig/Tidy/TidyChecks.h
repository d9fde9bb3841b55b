//===- TidyChecks.h - opsig's checks for clang-tidy -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// enabled checks "opsig-*" x AST of a file => (AstCheck.h) findings => diagnostics of clang-tidy
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TIDY_TIDYCHECKS_H
#define OPSIG_TIDY_TIDYCHECKS_H

#include "opsig/Support/Diagnostic.h"

namespace clang::tidy {
class ClangTidyCheckFactories;
}

namespace opsig {

/// The ids that C++ code of a single file can fire, in the order of the table. Those that need a
/// whole project are left to opsig check.
std::vector<DiagId> checksOfOneFile();

/// Flags by which code whose own find no headers of PyTorch finds those of the torch root, as seen
/// from the working directory. The folders are searched last: they hide nothing.
std::vector<std::string> torchHeaderFlags();

/// Registers a check for each of them, all with one SchemaCache, which lives as long as
/// \p Factories. The first one that is enabled does the work for all.
void addOpsigChecks(clang::tidy::ClangTidyCheckFactories &Factories);

} // namespace opsig

#endif
