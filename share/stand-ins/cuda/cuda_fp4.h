//===- cuda_fp4.h - floating point numbers of four bits -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUDA_FP4_H
#define OPSIG_STANDIN_CUDA_CUDA_FP4_H

#include "cuda_fp8.h"

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
enum __nv_fp4_interpretation_t { __NV_E2M1 };
#ifdef __cplusplus
struct __nv_fp4_e2m1 {
  __nv_fp4_storage_t __x;
};
struct __nv_fp4x2_e2m1 {
  __nv_fp4x2_storage_t __x;
};
struct __nv_fp4x4_e2m1 {
  __nv_fp4x4_storage_t __x;
};
#endif

#endif
