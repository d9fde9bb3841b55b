//===- device_merge_sort.cuh - with the others ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUB_DEVICE_DEVICE_MERGE_SORT_CUH
#define OPSIG_STANDIN_CUDA_CUB_DEVICE_DEVICE_MERGE_SORT_CUH

#include "../cub.cuh"

#endif
