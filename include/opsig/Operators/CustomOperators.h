//===- CustomOperators.h - What the YAMLs of a run define --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ExternalBackends => "npu::npu_format_cast" => the operator, and the YAML that defines it
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_OPERATORS_CUSTOMOPERATORS_H
#define OPSIG_OPERATORS_CUSTOMOPERATORS_H

#include "opsig/Operators/Operators.h"

namespace opsig {

struct CustomOperator {
  const NativeFunction *Function = nullptr;
  SourceId File = SourceId::None;
};

/// The operators that \p Backends define; of one that several define the first.
llvm::StringMap<CustomOperator> customOperators(llvm::ArrayRef<ExternalBackend> Backends);

/// "npu::npu_format_cast", also for PyTorch's own: "aten::add.Tensor".
std::string qualifiedName(const NativeFunction &F);

} // namespace opsig

#endif
