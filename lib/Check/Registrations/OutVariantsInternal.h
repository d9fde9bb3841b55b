//===- OutVariantsInternal.h - Operators and their out variants -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_CHECK_REGISTRATIONS_OUTVARIANTSINTERNAL_H
#define OPSIG_LIB_CHECK_REGISTRATIONS_OUTVARIANTSINTERNAL_H

#include "Registrations/RegistrationInternal.h"

namespace opsig {

/// Reports out variants, by their names, whose arguments and outputs are not those of the operator.
void checkOutVariants(llvm::ArrayRef<RegisteredOp> ByName, UnitFiles &Files, Findings &Diags);

} // namespace opsig

#endif
