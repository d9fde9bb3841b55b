//===- KernelName.cpp - What the kernel of a schema is called ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Schema/KernelName.h"

namespace opsig {

std::string impliedKernelName(const FunctionSchema &S) {
  return S.Name.Name.str() + (S.isOut() ? "_out" : "");
}

} // namespace opsig
