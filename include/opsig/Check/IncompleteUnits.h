//===- IncompleteUnits.h - Files that were read in part only ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_CHECK_INCOMPLETEUNITS_H
#define OPSIG_CHECK_INCOMPLETEUNITS_H

#include "opsig/Frontend/UnitFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>
#include <vector>

namespace opsig {

/// What Clang reports for the bodies of functions only, of which the file is complete otherwise; ""
/// if there is nothing.
std::string bodyErrors(const UnitFacts &Unit);

/// An error about a flag, and how many files have it.
struct WrongFlag {
  std::string Error;
  unsigned NumFiles = 0;
};

/// Why files were read in part only. An error about a flag is not repeated for each file.
struct IncompleteUnits {
  struct File {
    const UnitFacts *Unit;
    std::string Why;
  };
  std::vector<File> Files;
  std::vector<WrongFlag> Flags; ///< in the order in which they occur
};

/// The result points into \p Units. Errors of files that \p IsExplained takes are left out.
IncompleteUnits incompleteUnits(llvm::ArrayRef<UnitFacts> Units,
                                llvm::function_ref<bool(llvm::StringRef)> IsExplained);

} // namespace opsig

#endif
