//===- Derivatives.h - Which operators have a gradient's formula -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// derivatives.yaml => names of the operators that it has formulas for
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_OPERATORS_DERIVATIVES_H
#define OPSIG_OPERATORS_DERIVATIVES_H

#include "opsig/Operators/Operators.h"

namespace opsig {

class Derivatives {
public:
  /// Reads \p File; what is no list of entries with names is left out, for the file is PyTorch's.
  Derivatives(SourceId File, const SourceFiles &Files, const Operators &Ops);

  /// Whether some argument of \p F has a formula: its own entry's, or of an inplace function that
  /// of its functional form.
  bool hasFormula(const NativeFunction &F) const;

private:
  llvm::StringSet<> Named; ///< "add.Tensor"
  llvm::DenseMap<const NativeFunction *, const NativeFunction *> FunctionalOf;
};

} // namespace opsig

#endif
