//===- device_launch_parameters.h - threadIdx and its kin -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#define OPSIG_STANDIN_CUDA_DEVICE_LAUNCH_PARAMETERS_H

#include "vector_types.h"

#ifdef __CUDA__
extern __device__ const uint3 threadIdx;
extern __device__ const uint3 blockIdx;
extern __device__ const dim3 blockDim;
extern __device__ const dim3 gridDim;
extern __device__ const int warpSize;
#endif

#endif
