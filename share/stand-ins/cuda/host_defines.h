//===- host_defines.h - qualifiers of functions and variables -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_HOST_DEFINES_H
#define OPSIG_STANDIN_CUDA_HOST_DEFINES_H

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__ __attribute__((grid_constant))
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)
#else
// A compiler of plain C++ takes these in headers that both kinds of files include.
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
// libstdc++ has attributes of that name.
#ifdef __CUDACC__
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(Bytes) __attribute__((aligned(Bytes)))
#define __builtin_align__(Bytes) __align__(Bytes)
#define __device_builtin__
#define __cudart_builtin__
#define __no_return__ __attribute__((noreturn))
#ifndef CUDARTAPI
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#endif

#endif
