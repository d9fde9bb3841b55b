//===- musa_bf16.h - bfloat16 ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_MUSA_MUSA_BF16_H
#define OPSIG_STANDIN_MUSA_MUSA_BF16_H

#include "../cuda/cuda_bf16.h"

typedef __nv_bfloat16 __mt_bfloat16;
typedef __nv_bfloat162 __mt_bfloat162;

#endif
