//===- cuda_fp8.h - floating point numbers of eight bits ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUDA_FP8_H
#define OPSIG_STANDIN_CUDA_CUDA_FP8_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

#ifdef __cplusplus
struct __align__(1) __nv_fp8_e4m3 {
  __nv_fp8_storage_t __x;

  __nv_fp8_e4m3() = default;
  template <typename T> explicit __host__ __device__ __nv_fp8_e4m3(const T &X);
  explicit __host__ __device__ operator float() const;
  explicit __host__ __device__ operator __half() const;
};
struct __align__(2) __nv_fp8x2_e4m3 {
  __nv_fp8x2_storage_t __x;

  __nv_fp8x2_e4m3() = default;
  template <typename T> explicit __host__ __device__ __nv_fp8x2_e4m3(const T &X);
};
struct __align__(4) __nv_fp8x4_e4m3 {
  __nv_fp8x4_storage_t __x;

  __nv_fp8x4_e4m3() = default;
  template <typename T> explicit __host__ __device__ __nv_fp8x4_e4m3(const T &X);
};
struct __align__(1) __nv_fp8_e5m2 {
  __nv_fp8_storage_t __x;

  __nv_fp8_e5m2() = default;
  template <typename T> explicit __host__ __device__ __nv_fp8_e5m2(const T &X);
  explicit __host__ __device__ operator float() const;
  explicit __host__ __device__ operator __half() const;
};
struct __align__(2) __nv_fp8x2_e5m2 {
  __nv_fp8x2_storage_t __x;

  __nv_fp8x2_e5m2() = default;
  template <typename T> explicit __host__ __device__ __nv_fp8x2_e5m2(const T &X);
};
struct __align__(4) __nv_fp8x4_e5m2 {
  __nv_fp8x4_storage_t __x;

  __nv_fp8x4_e5m2() = default;
  template <typename T> explicit __host__ __device__ __nv_fp8x4_e5m2(const T &X);
};

__host__ __device__ __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float X, __nv_saturation_t S,
                                                             __nv_fp8_interpretation_t As);
__host__ __device__ __nv_fp8x2_storage_t
__nv_cvt_float2_to_fp8x2(const float2 X, __nv_saturation_t S, __nv_fp8_interpretation_t As);
__host__ __device__ __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t X,
                                                       __nv_fp8_interpretation_t As);
__host__ __device__ __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t X,
                                                           __nv_fp8_interpretation_t As);
#endif

#endif
