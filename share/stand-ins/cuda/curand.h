//===- curand.h - cuRAND of the host --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CURAND_H
#define OPSIG_STANDIN_CUDA_CURAND_H

#include "driver_types.h"
#include "library_types.h"
#include <stdint.h>

typedef struct curandGenerator_st *curandGenerator_t;
typedef enum {
  CURAND_STATUS_SUCCESS = 0, CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101, CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103, CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LAUNCH_FAILURE = 201, CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum {
  CURAND_RNG_PSEUDO_DEFAULT = 100, CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161
} curandRngType_t;
typedef curandStatus_t curandStatus;

#endif
