//===- AotiShimsInternal.h - C forms of arguments and results ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// schema => C parameters + the expressions that make C++ arguments of them + assignments to results
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_AOTISHIMSINTERNAL_H
#define OPSIG_CODEGEN_AOTISHIMSINTERNAL_H

#include "opsig/Dialect/Dialect.h"
#include "opsig/Schema/FunctionSchema.h"

namespace opsig {

/// What a C shim takes, and how it calls the operator.
struct ShimPlan {
  std::vector<std::string> Params;      ///< "int64_t dim"; results are pointers and come last
  std::vector<std::string> CallArgs;    ///< C++ expressions, one per argument of the C++ function
  std::vector<std::string> Assignments; ///< to the results; none for inplace and out functions
};

/// Nothing where an argument or a return has a type without a C form.
std::optional<ShimPlan> planShim(const FunctionSchema &S, const ShimFacts &Facts);

} // namespace opsig

#endif
