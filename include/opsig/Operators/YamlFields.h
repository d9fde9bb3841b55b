//===- YamlFields.h - The fields that YAML files may have ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_OPERATORS_YAMLFIELDS_H
#define OPSIG_OPERATORS_YAMLFIELDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace opsig {

/// Of an entry of native_functions.yaml.
llvm::ArrayRef<llvm::StringRef> nativeFunctionFields();
/// Of the YAML of a backend in PyTorch's own layout.
llvm::ArrayRef<llvm::StringRef> backendFields();

} // namespace opsig

#endif
