//===- hip_fp16.h - half --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_HIP_HIP_HIP_FP16_H
#define OPSIG_STANDIN_HIP_HIP_HIP_FP16_H

#include "../../cuda/cuda_fp16.h"

#endif
