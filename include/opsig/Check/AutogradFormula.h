//===- AutogradFormula.h - Which operators can have a formula ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_CHECK_AUTOGRADFORMULA_H
#define OPSIG_CHECK_AUTOGRADFORMULA_H

#include "opsig/Schema/FunctionSchema.h"

namespace opsig {

/// Why torch.library rejects an autograd formula for the operator; "" if it accepts one.
std::string whyNoAutogradFormula(const FunctionSchema &S);

} // namespace opsig

#endif
