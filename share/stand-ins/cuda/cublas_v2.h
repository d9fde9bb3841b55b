//===- cublas_v2.h - cuBLAS -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUBLAS_V2_H
#define OPSIG_STANDIN_CUDA_CUBLAS_V2_H

#include "cublas_api.h"

#endif
