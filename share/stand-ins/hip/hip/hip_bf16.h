//===- hip_bf16.h - bfloat16 ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_HIP_HIP_HIP_BF16_H
#define OPSIG_STANDIN_HIP_HIP_HIP_BF16_H

#include "../../cuda/cuda_bf16.h"

typedef __nv_bfloat16 __hip_bfloat16;
typedef __nv_bfloat162 __hip_bfloat162;
typedef __nv_bfloat16 hip_bfloat16;

#endif
