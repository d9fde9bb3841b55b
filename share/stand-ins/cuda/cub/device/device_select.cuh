//===- device_select.cuh - with the others --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUB_DEVICE_DEVICE_SELECT_CUH
#define OPSIG_STANDIN_CUDA_CUB_DEVICE_DEVICE_SELECT_CUH

#include "../cub.cuh"

#endif
