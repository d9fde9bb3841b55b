//===- util_type.cuh - with the others ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUB_UTIL_TYPE_CUH
#define OPSIG_STANDIN_CUDA_CUB_UTIL_TYPE_CUH

#include "cub.cuh"

#endif
