//===- InplaceNamesInternal.h - Operators named like in-place ones -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_CHECK_REGISTRATIONS_INPLACENAMESINTERNAL_H
#define OPSIG_LIB_CHECK_REGISTRATIONS_INPLACENAMESINTERNAL_H

#include "Registrations/RegistrationInternal.h"

namespace opsig {

/// Reports operators whose names end in '_' and whose schemas return an argument that they do not
/// mark as written. To be called when the kernels' writes have been reported.
void checkInplaceNames(llvm::ArrayRef<RegisteredOp> ByName, UnitFiles &Files, Findings &Diags);

} // namespace opsig

#endif
