//===- version.cuh - the version ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUB_VERSION_CUH
#define OPSIG_STANDIN_CUDA_CUB_VERSION_CUH

#define CUB_VERSION 200500
#define CUB_MAJOR_VERSION 2
#define CUB_MINOR_VERSION 5

#endif
