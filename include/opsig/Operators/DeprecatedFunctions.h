//===- DeprecatedFunctions.h - Old Python signatures of operators -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// deprecated.yaml => DeprecatedFunction* (a schema, and the call of an operator that serves it)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_OPERATORS_DEPRECATEDFUNCTIONS_H
#define OPSIG_OPERATORS_DEPRECATEDFUNCTIONS_H

#include "opsig/Schema/FunctionSchema.h"
#include "opsig/Support/Finding.h"
#include <memory>

namespace opsig {

struct Dialect;

/// An argument of the call that serves a deprecated signature.
struct DeprecatedArgument {
  std::string Text; ///< "beta", "1"
  /// Its schema argument; null for a constant, which is always a Scalar.
  const Argument *Arg = nullptr;
};

/// An entry of deprecated.yaml:
///   - name: addmm(Scalar beta, Tensor self, Tensor mat1, Tensor mat2) -> Tensor
///     aten: addmm(self, mat1, mat2, beta, 1)
struct DeprecatedFunction {
  FunctionSchema Schema;
  /// The operator that serves it, without overload; of "addmm_out(...)" it is "addmm".
  std::string Operator;
  bool CallsOut = false;
  /// In the order of the call; out arguments come first.
  std::vector<DeprecatedArgument> Call;
  Place At;     ///< of the schema
  Place CallAt; ///< of the call
};

/// In the order of the file. Move only: calls point into their schemas.
struct DeprecatedFunctions {
  std::vector<std::unique_ptr<const DeprecatedFunction>> All;
};

/// Reads and checks \p File in the schema language of \p D. Errors go to \p Diags, all of the file
/// in one run; an entry with an error is left out.
DeprecatedFunctions readDeprecatedFunctions(SourceId File, const SourceFiles &Files,
                                            const Dialect &D, Findings &Diags);

} // namespace opsig

#endif
