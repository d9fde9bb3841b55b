//===- BackendSelectInternal.h - Factories that choose a key by options -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// function => what RegisterBackendSelect.cpp makes of it, or why nothing
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CODEGEN_REGISTER_BACKENDSELECTINTERNAL_H
#define OPSIG_LIB_CODEGEN_REGISTER_BACKENDSELECTINTERNAL_H

#include "opsig/Codegen/Selector.h"
#include "opsig/Operators/Operators.h"

namespace opsig {

enum class BackendSelect : uint8_t { ByOptions, ByOptionsAndTensors };
enum class NoBackendSelect : uint8_t {
  NoOptions,  ///< takes no tensor options
  HasTensor,  ///< new_* and *_like: a tensor says it all
  NotSelected ///< a selective build does without it
};
std::variant<BackendSelect, NoBackendSelect> planBackendSelect(const NativeFunction &F,
                                                               const Selector &Selected);

} // namespace opsig

#endif
