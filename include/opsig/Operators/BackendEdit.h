//===- BackendEdit.h - Edits of a backend's YAML -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// YAML, items => Fix* that take their lines out
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_OPERATORS_BACKENDEDIT_H
#define OPSIG_OPERATORS_BACKENDEDIT_H

#include "opsig/Support/Finding.h"

namespace opsig {

struct ItemRemoval {
  /// One for each stretch of lines, in the order of the file.
  std::vector<Fix> Fixes;
  /// Items that share a line with something else ("[a, b]"), or that an anchor names, and lists
  /// that would be left empty where the file is a list: those stay.
  std::vector<Place> Kept;
};

/// Takes items out of the lists of a backend's YAML: those with a text at one of \p Places (as
/// findings have them), and those that are nothing but one of \p Names, as under `symint:`. Their
/// own comments go with them, those on lines between items stay. The key of a list that loses all
/// its items goes, too.
/// \p Yaml must be one that loadBackend has read without errors of syntax.
ItemRemoval removeItems(SourceId Yaml, const SourceFiles &Files, llvm::ArrayRef<Place> Places,
                        llvm::ArrayRef<std::string> Names);

} // namespace opsig

#endif
