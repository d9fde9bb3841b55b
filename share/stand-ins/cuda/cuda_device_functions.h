//===- cuda_device_functions.h - functions of device code, as far as headers and templates name them
//---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUDA_DEVICE_FUNCTIONS_H
#define OPSIG_STANDIN_CUDA_CUDA_DEVICE_FUNCTIONS_H

#include "cuda_math_functions.h"
#include "device_launch_parameters.h"
#include "driver_types.h"
#include "vector_functions.h"

#ifdef __CUDA__
extern "C" {
// What `assert` calls.
__device__ void __assert_fail(const char *Condition, const char *File, unsigned int Line,
                              const char *Function) noexcept(true);
// Those of the C library that device code has, too.
__device__ int printf(const char *Format, ...);
__device__ void *malloc(__SIZE_TYPE__ Size);
__device__ void free(void *Memory);
__device__ void *memcpy(void *To, const void *From, __SIZE_TYPE__ Size);
__device__ void *memset(void *To, int Byte, __SIZE_TYPE__ Size);
__device__ void __syncthreads();
__device__ int __syncthreads_count(int Predicate);
__device__ int __syncthreads_and(int Predicate);
__device__ int __syncthreads_or(int Predicate);
__device__ void __syncwarp(unsigned int Mask = 0xffffffffu);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ void __trap();
__device__ void __brkpt();
__device__ void __nanosleep(unsigned int Nanoseconds);
__device__ long long clock64();
__device__ int __clz(int X);
__device__ int __clzll(long long X);
__device__ int __ffs(int X);
__device__ int __ffsll(long long X);
__device__ int __popc(unsigned int X);
__device__ int __popcll(unsigned long long X);
__device__ unsigned int __brev(unsigned int X);
__device__ unsigned int __byte_perm(unsigned int X, unsigned int Y, unsigned int Selector);
__device__ unsigned int __funnelshift_l(unsigned int Low, unsigned int High, unsigned int Shift);
__device__ unsigned int __funnelshift_r(unsigned int Low, unsigned int High, unsigned int Shift);
__device__ int __mulhi(int X, int Y);
__device__ unsigned int __umulhi(unsigned int X, unsigned int Y);
__device__ unsigned long long __umul64hi(unsigned long long X, unsigned long long Y);
__device__ int __dp4a(int X, int Y, int Sum);
__device__ int __vcmpeq4(unsigned int X, unsigned int Y);
__device__ float __saturatef(float X);
__device__ float __expf(float X);
__device__ float __logf(float X);
__device__ float __log2f(float X);
__device__ float __log10f(float X);
__device__ float __sinf(float X);
__device__ float __cosf(float X);
__device__ float __tanf(float X);
__device__ float __powf(float X, float Y);
__device__ float __fdividef(float X, float Y);
__device__ float __frcp_rn(float X);
__device__ float __frsqrt_rn(float X);
__device__ float __fsqrt_rn(float X);
__device__ float __fadd_rn(float X, float Y);
__device__ float __fmul_rn(float X, float Y);
__device__ float __fdiv_rn(float X, float Y);
__device__ float __fmaf_rn(float X, float Y, float Z);
__device__ int __float2int_rn(float X);
__device__ int __float2int_rd(float X);
__device__ int __float2int_rz(float X);
__device__ unsigned int __float2uint_rn(float X);
__device__ float __int2float_rn(int X);
__device__ float __uint2float_rn(unsigned int X);
__device__ int __float_as_int(float X);
__device__ unsigned int __float_as_uint(float X);
__device__ float __int_as_float(int X);
__device__ float __uint_as_float(unsigned int X);
__device__ long long __double_as_longlong(double X);
__device__ double __longlong_as_double(long long X);
__device__ unsigned int __activemask();
__device__ unsigned int __ballot_sync(unsigned int Mask, int Predicate);
__device__ int __all_sync(unsigned int Mask, int Predicate);
__device__ int __any_sync(unsigned int Mask, int Predicate);
__device__ size_t __cvta_generic_to_shared(const void *Pointer);
// The configuration of kernel<<<...>>>(), in both of the forms that compilers ask for.
unsigned int __cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t SharedBytes = 0,
                                         struct CUstream_st *Stream = nullptr);
int cudaConfigureCall(dim3 Grid, dim3 Block, size_t SharedBytes = 0,
                      struct CUstream_st *Stream = nullptr);
}

template <typename T> __device__ T __ldg(const T *Pointer);
template <typename T> __device__ T __ldcg(const T *Pointer);
template <typename T> __device__ T __ldca(const T *Pointer);
template <typename T> __device__ T __ldcs(const T *Pointer);
template <typename T> __device__ T __ldlu(const T *Pointer);
template <typename T> __device__ void __stcg(T *Pointer, T Value);
template <typename T> __device__ void __stcs(T *Pointer, T Value);
template <typename T> __device__ void __stwt(T *Pointer, T Value);
template <typename T>
__device__ T __shfl_sync(unsigned int Mask, T Value, int Lane, int Width = 32);
template <typename T>
__device__ T __shfl_up_sync(unsigned int Mask, T Value, unsigned int Delta, int Width = 32);
template <typename T>
__device__ T __shfl_down_sync(unsigned int Mask, T Value, unsigned int Delta, int Width = 32);
template <typename T>
__device__ T __shfl_xor_sync(unsigned int Mask, T Value, int LaneMask, int Width = 32);
template <typename T> __device__ unsigned int __match_any_sync(unsigned int Mask, T Value);
template <typename T> __device__ unsigned int __reduce_add_sync(unsigned int Mask, T Value);
template <typename T> __device__ T __reduce_max_sync(unsigned int Mask, T Value);
template <typename T> __device__ T __reduce_min_sync(unsigned int Mask, T Value);

#define OPSIG_ATOMIC(Name)                                                                         \
  template <typename T, typename V> __device__ T Name(T *Address, V Value);                        \
  template <typename T, typename V> __device__ T Name##_block(T *Address, V Value);                \
  template <typename T, typename V> __device__ T Name##_system(T *Address, V Value);
OPSIG_ATOMIC(atomicAdd)
OPSIG_ATOMIC(atomicSub)
OPSIG_ATOMIC(atomicExch)
OPSIG_ATOMIC(atomicMin)
OPSIG_ATOMIC(atomicMax)
OPSIG_ATOMIC(atomicInc)
OPSIG_ATOMIC(atomicDec)
OPSIG_ATOMIC(atomicAnd)
OPSIG_ATOMIC(atomicOr)
OPSIG_ATOMIC(atomicXor)
#undef OPSIG_ATOMIC
template <typename T, typename U, typename V>
__device__ T atomicCAS(T *Address, U Compare, V Value);
#endif

#endif
