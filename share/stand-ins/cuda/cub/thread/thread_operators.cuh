//===- thread_operators.cuh - with the others -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUB_THREAD_THREAD_OPERATORS_CUH
#define OPSIG_STANDIN_CUDA_CUB_THREAD_THREAD_OPERATORS_CUH

#include "../cub.cuh"

#endif
