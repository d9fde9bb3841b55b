//===- warp_scan.cuh - with the others ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUB_WARP_WARP_SCAN_CUH
#define OPSIG_STANDIN_CUDA_CUB_WARP_WARP_SCAN_CUH

#include "../cub.cuh"

#endif
