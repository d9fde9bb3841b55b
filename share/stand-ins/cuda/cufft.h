//===- cufft.h - cuFFT ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUFFT_H
#define OPSIG_STANDIN_CUDA_CUFFT_H

#include "driver_types.h"
#include "library_types.h"
#include <stdint.h>

typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef float2 cufftComplex;
typedef double2 cufftDoubleComplex;
typedef enum {
  CUFFT_SUCCESS = 0, CUFFT_INVALID_PLAN = 1, CUFFT_ALLOC_FAILED = 2, CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4, CUFFT_INTERNAL_ERROR = 5, CUFFT_EXEC_FAILED = 6,
  CUFFT_SETUP_FAILED = 7, CUFFT_INVALID_SIZE = 8, CUFFT_UNALIGNED_DATA = 9,
  CUFFT_INVALID_DEVICE = 11, CUFFT_NO_WORKSPACE = 13, CUFFT_NOT_IMPLEMENTED = 14,
  CUFFT_NOT_SUPPORTED = 16
} cufft_Status_t;
typedef cufft_Status_t cufftResult_t;
typedef cufft_Status_t cufftResult;
typedef enum {
  CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_C2C = 0x29, CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
} cufftType;
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

#ifdef __cplusplus
extern "C" {
#endif
cufftResult cufftCreate(cufftHandle *Handle);
cufftResult cufftDestroy(cufftHandle Handle);
cufftResult cufftPlan1d(cufftHandle *Plan, int Size, cufftType Type, int Batch);
cufftResult cufftSetAutoAllocation(cufftHandle Handle, int Automatic);
cufftResult cufftSetStream(cufftHandle Handle, cudaStream_t Stream);
#ifdef __cplusplus
}
#endif

#endif
