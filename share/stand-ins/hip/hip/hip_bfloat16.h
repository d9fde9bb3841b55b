//===- hip_bfloat16.h - bfloat16 ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_HIP_HIP_HIP_BFLOAT16_H
#define OPSIG_STANDIN_HIP_HIP_HIP_BFLOAT16_H

#include "hip_bf16.h"

#endif
