//===- util_device.cuh - with the others ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUB_UTIL_DEVICE_CUH
#define OPSIG_STANDIN_CUDA_CUB_UTIL_DEVICE_CUH

#include "cub.cuh"

#endif
