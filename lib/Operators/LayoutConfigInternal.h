//===- LayoutConfigInternal.h - `backend-layouts` of .opsig.yaml -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_OPERATORS_LAYOUTCONFIGINTERNAL_H
#define OPSIG_LIB_OPERATORS_LAYOUTCONFIGINTERNAL_H

#include "FieldReaderInternal.h"
#include "opsig/Operators/BackendLayout.h"

namespace opsig {

/// Takes `backend-layouts`, a list of mappings, out of \p Fields.
std::vector<BackendLayout> readBackendLayouts(FieldReader &Fields, Findings &Diags);

/// One string or a list of them.
std::vector<std::string> takeStrings(FieldReader &Fields, llvm::StringRef Name,
                                     llvm::StringRef Expected, Findings &Diags);

} // namespace opsig

#endif
