//===- musa.h - types of the driver ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_MUSA_MUSA_H
#define OPSIG_STANDIN_MUSA_MUSA_H

#include "../cuda/cuda.h"

typedef CUdeviceptr MUdeviceptr;
typedef CUstream MUstream;

#endif
