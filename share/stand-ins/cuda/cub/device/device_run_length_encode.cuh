//===- device_run_length_encode.cuh - with the others ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUB_DEVICE_DEVICE_RUN_LENGTH_ENCODE_CUH
#define OPSIG_STANDIN_CUDA_CUB_DEVICE_DEVICE_RUN_LENGTH_ENCODE_CUH

#include "../cub.cuh"

#endif
