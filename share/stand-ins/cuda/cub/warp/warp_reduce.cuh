//===- warp_reduce.cuh - with the others ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUB_WARP_WARP_REDUCE_CUH
#define OPSIG_STANDIN_CUDA_CUB_WARP_WARP_REDUCE_CUH

#include "../cub.cuh"

#endif
