//===- cufftXt.h - cuFFT of several devices -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUFFTXT_H
#define OPSIG_STANDIN_CUDA_CUFFTXT_H

#include "cufft.h"

#endif
