//===- InplaceNamesInternal.h - Operators named like in-place ones -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_CHECK_REGISTRATIONS_INPLACENAMESINTERNAL_H
#define OPSIG_LIB_CHECK_REGISTRATIONS_INPLACENAMESINTERNAL_H

#include "Registrations/RegistrationInternal.h"

namespace opsig {

/// Reports operators whose names end in '_' and whose schemas do not mark the first argument as
/// written, although they appear to write to it. To be called when the kernels' writes have been
/// reported.
void checkInplaceNames(llvm::ArrayRef<RegisteredOp> ByName, ProjectEffects &Effects,
                       UnitFiles &Files, Findings &Diags);

} // namespace opsig

#endif
