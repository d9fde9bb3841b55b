//===- cudss.h - cuDSS ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUDSS_H
#define OPSIG_STANDIN_CUDA_CUDSS_H

#include "driver_types.h"
#include "library_types.h"
#include <stdint.h>

typedef struct cudssContext *cudssHandle_t;
typedef struct cudssConfig *cudssConfig_t;
typedef struct cudssData *cudssData_t;
typedef struct cudssMatrix *cudssMatrix_t;
typedef enum {
  CUDSS_STATUS_SUCCESS = 0, CUDSS_STATUS_NOT_INITIALIZED = 1, CUDSS_STATUS_ALLOC_FAILED = 2,
  CUDSS_STATUS_INVALID_VALUE = 3, CUDSS_STATUS_NOT_SUPPORTED = 4,
  CUDSS_STATUS_EXECUTION_FAILED = 5, CUDSS_STATUS_INTERNAL_ERROR = 6
} cudssStatus_t;

#endif
