//===- cusolverDn.h - cuSOLVER of dense matrices --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUSOLVERDN_H
#define OPSIG_STANDIN_CUDA_CUSOLVERDN_H

#include "cublas_v2.h"
#include "cusolver_common.h"

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;

#ifdef __cplusplus
extern "C" {
#endif
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *Handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t Handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t Handle, cudaStream_t Stream);
#ifdef __cplusplus
}
#endif

#endif
