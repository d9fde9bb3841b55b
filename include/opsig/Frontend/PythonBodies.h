//===- PythonBodies.h - What Python functions do with sizes and elements --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UnitFacts::Python => PythonShape*. What they do with tensors is in UnitFacts::Flows, as of C++.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_PYTHONBODIES_H
#define OPSIG_FRONTEND_PYTHONBODIES_H

#include "opsig/Frontend/UnitFacts.h"

namespace opsig {

struct PythonShape {
  enum Kind : uint8_t {
    Number, ///< `int(x.shape[0])`
    Value,  ///< `x.item()`
    Branch, ///< `if x.any()`
    Size,   ///< a parameter is a size of what is made: `x.new_empty(n)`
  } Is = Number;
  uint32_t Function = 0; ///< in PythonFacts::Functions
  uint32_t Param = 0;    ///< in PythonCallable::Parameters: whose size or element it is
  Span At;
  std::string What; ///< "int()", "item()"
  /// What can stand in its place.
  std::optional<std::string> Instead;
};

/// Those of \p Unit, in the order of its functions.
std::vector<PythonShape> readPythonShapes(const UnitFacts &Unit);

} // namespace opsig

#endif
