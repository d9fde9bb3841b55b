//===- registration.h - what kernel-builder writes beside a kernel ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_KERNEL_BUILDER_REGISTRATION_H
#define OPSIG_STANDIN_KERNEL_BUILDER_REGISTRATION_H

#include <torch/library.h>

// The name may be a macro, which has to be expanded first.
#define TORCH_LIBRARY_EXPAND(NAME, MODULE) TORCH_LIBRARY(NAME, MODULE)
#define TORCH_LIBRARY_IMPL_EXPAND(NAME, KEY, MODULE) TORCH_LIBRARY_IMPL(NAME, KEY, MODULE)
// For sources that include <torch/csrc/stable/library.h> themselves.
#define STABLE_TORCH_LIBRARY_EXPAND(NAME, MODULE) STABLE_TORCH_LIBRARY(NAME, MODULE)
#define STABLE_TORCH_LIBRARY_IMPL_EXPAND(NAME, KEY, MODULE)                                        \
  STABLE_TORCH_LIBRARY_IMPL(NAME, KEY, MODULE)
// A module for Python, which has no operators.
#define REGISTER_EXTENSION(NAME)

#endif
