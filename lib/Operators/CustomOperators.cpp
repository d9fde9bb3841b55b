//===- CustomOperators.cpp - What the YAMLs of a run define ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Operators/CustomOperators.h"

namespace opsig {

std::string qualifiedName(const NativeFunction &F) {
  return F.Namespace + "::" + F.Schema.Name.str();
}

llvm::StringMap<CustomOperator> customOperators(llvm::ArrayRef<ExternalBackend> Backends) {
  llvm::StringMap<CustomOperator> Out;
  for (const ExternalBackend &B : Backends)
    if (B.Custom)
      for (const NativeFunction &F : *B.Custom)
        Out.try_emplace(qualifiedName(F), &F, B.File);
  return Out;
}

} // namespace opsig
