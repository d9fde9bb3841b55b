//===- hip_runtime.h - what hipcc includes before everything else ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_HIP_HIP_HIP_RUNTIME_H
#define OPSIG_STANDIN_HIP_HIP_HIP_RUNTIME_H

#include "../../cuda/cuda_runtime.h"
#include "hip_runtime_api.h"

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(Type, Name) extern __shared__ Type Name[];
#define hipLaunchKernelGGL(Kernel, Grid, Block, SharedBytes, Stream, ...)                          \
  do {                                                                                             \
    Kernel<<<(Grid), (Block), (SharedBytes), (Stream)>>>(__VA_ARGS__);                             \
  } while (0)

#ifdef __CUDA__
// The configuration of kernel<<<...>>>().
extern "C" {
hipError_t __hipPushCallConfiguration(dim3 Grid, dim3 Block, size_t SharedBytes = 0,
                                      hipStream_t Stream = nullptr);
hipError_t hipConfigureCall(dim3 Grid, dim3 Block, size_t SharedBytes = 0,
                            hipStream_t Stream = nullptr);
}
template <typename T> __device__ T __shfl(T Value, int Lane, int Width = 64);
template <typename T> __device__ T __shfl_up(T Value, unsigned int Delta, int Width = 64);
template <typename T> __device__ T __shfl_down(T Value, unsigned int Delta, int Width = 64);
template <typename T> __device__ T __shfl_xor(T Value, int LaneMask, int Width = 64);
__device__ unsigned long long __ballot(int Predicate);
__device__ int __any(int Predicate);
__device__ int __all(int Predicate);
#endif

#endif
