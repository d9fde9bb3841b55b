//===- RegistrationHelpers.h - What stands around the wrappers of a key -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DispatchKey x Dialect => #include lines and helper functions of Register<Key>.cpp
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_REGISTRATIONHELPERS_H
#define OPSIG_CODEGEN_REGISTRATIONHELPERS_H

#include "opsig/Dialect/Dialect.h"
#include <vector>

namespace opsig {

/// Which headers there are to include.
struct HeaderChoice {
  /// A header per operator instead of one for all.
  bool PerOperator = false;
  /// ROCm's instead of CUDA's.
  bool Rocm = false;
};

/// One #include line an element: the kernels' declarations, then what makes empty tensors for \p
/// Key.
std::vector<std::string> registrationHeaders(DispatchKey Key, const Dialect &D,
                                             HeaderChoice Choice = {});

/// One definition an element: create_out, resize_out, check_inplace and maybe_create_proxy, as far
/// as the key has them; between pragmas where the release puts them at the file's top.
std::vector<std::string> registrationHelpers(DispatchKey Key, const Dialect &D);

} // namespace opsig

#endif
