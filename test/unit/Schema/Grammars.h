//===- Grammars.h - The two ends of the schema language --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TEST_UNIT_SCHEMA_GRAMMARS_H
#define OPSIG_TEST_UNIT_SCHEMA_GRAMMARS_H

#include "opsig/Schema/Parse.h"

namespace opsig::test {

inline Grammar withTypes(llvm::ArrayRef<BaseTy> Absent) {
  Grammar G;
  for (unsigned I = 0; I != unsigned(BaseTy::CustomClass); ++I)
    G.Types.set(I);
  for (BaseTy Ty : Absent)
    G.Types.reset(unsigned(Ty));
  return G;
}

/// As the oldest release that opsig knows has it.
inline Grammar early() {
  return withTypes({BaseTy::DeviceIndex, BaseTy::SymBool, BaseTy::GraphModule});
}

/// As the newest measured release has it.
inline Grammar late() {
  Grammar G = withTypes({BaseTy::ConstQuantizerPtr});
  G.NamespacedNames = true;
  G.DefaultsMayHoldSpaces = true;
  G.RefusesPythonKeywords = true;
  return G;
}

} // namespace opsig::test

#endif
