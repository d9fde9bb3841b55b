//===- hip_fp8.h - floating point numbers of eight bits -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_HIP_HIP_HIP_FP8_H
#define OPSIG_STANDIN_HIP_HIP_HIP_FP8_H

#include "../../cuda/cuda_fp8.h"

typedef __nv_fp8_e4m3 __hip_fp8_e4m3_fnuz;
typedef __nv_fp8_e5m2 __hip_fp8_e5m2_fnuz;
typedef __nv_fp8_e4m3 __hip_fp8_e4m3;
typedef __nv_fp8_e5m2 __hip_fp8_e5m2;

#endif
