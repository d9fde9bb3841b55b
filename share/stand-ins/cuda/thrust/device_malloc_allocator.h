//===- device_malloc_allocator.h - with the others ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_THRUST_DEVICE_MALLOC_ALLOCATOR_H
#define OPSIG_STANDIN_CUDA_THRUST_DEVICE_MALLOC_ALLOCATOR_H

#include "thrust.h"

#endif
