//===- musa_fp16.h - half -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_MUSA_MUSA_FP16_H
#define OPSIG_STANDIN_MUSA_MUSA_FP16_H

#include "../cuda/cuda_fp16.h"

#endif
