//===- builtin_types.h - all types that need no include -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_BUILTIN_TYPES_H
#define OPSIG_STANDIN_CUDA_BUILTIN_TYPES_H

#include "driver_types.h"
#include "library_types.h"
#include "vector_types.h"

#endif
