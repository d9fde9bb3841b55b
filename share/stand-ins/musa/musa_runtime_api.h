//===- musa_runtime_api.h - the runtime of MUSA, whose names are those of CUDA's ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_MUSA_MUSA_RUNTIME_API_H
#define OPSIG_STANDIN_MUSA_MUSA_RUNTIME_API_H

#include "../cuda/cuda_runtime_api.h"

#define MUSART_VERSION 40000
typedef cudaStream_t musaStream_t;
typedef cudaEvent_t musaEvent_t;
typedef cudaError_t musaError_t;
typedef cudaDeviceProp musaDeviceProp;
typedef cudaMemcpyKind musaMemcpyKind;
#define musaSuccess cudaSuccess
#define musaGetLastError cudaGetLastError
#define musaGetErrorString cudaGetErrorString
#define musaGetDevice cudaGetDevice
#define musaSetDevice cudaSetDevice
#define musaGetDeviceProperties cudaGetDeviceProperties
#define musaDeviceSynchronize cudaDeviceSynchronize
#define musaMalloc cudaMalloc
#define musaFree cudaFree
#define musaMemcpy cudaMemcpy
#define musaMemcpyAsync cudaMemcpyAsync
#define musaMemset cudaMemset
#define musaMemsetAsync cudaMemsetAsync
#define musaStreamSynchronize cudaStreamSynchronize
#define musaFuncSetAttribute cudaFuncSetAttribute

#endif
