//===- device_atomic_functions.h - what nvcc has declared already, by an older name ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_DEVICE_ATOMIC_FUNCTIONS_H
#define OPSIG_STANDIN_CUDA_DEVICE_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
