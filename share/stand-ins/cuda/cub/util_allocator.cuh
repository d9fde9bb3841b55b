//===- util_allocator.cuh - with the others -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUB_UTIL_ALLOCATOR_CUH
#define OPSIG_STANDIN_CUDA_CUB_UTIL_ALLOCATOR_CUH

#include "cub.cuh"

#endif
