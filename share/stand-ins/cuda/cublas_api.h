//===- cublas_api.h - the interface of cuBLAS -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUBLAS_API_H
#define OPSIG_STANDIN_CUDA_CUBLAS_API_H

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "driver_types.h"
#include "library_types.h"
#include <stdint.h>

#define CUBLAS_VERSION 120600
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 6

typedef struct cublasContext *cublasHandle_t;
typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum {
  CUBLAS_FILL_MODE_LOWER,
  CUBLAS_FILL_MODE_UPPER,
  CUBLAS_FILL_MODE_FULL
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;

#ifdef __cplusplus
extern "C" {
#endif
cublasStatus_t cublasCreate(cublasHandle_t *Handle);
cublasStatus_t cublasDestroy(cublasHandle_t Handle);
cublasStatus_t cublasSetStream(cublasHandle_t Handle, cudaStream_t Stream);
cublasStatus_t cublasGetStream(cublasHandle_t Handle, cudaStream_t *Stream);
cublasStatus_t cublasSetWorkspace(cublasHandle_t Handle, void *Workspace, size_t Size);
cublasStatus_t cublasSetMathMode(cublasHandle_t Handle, cublasMath_t Mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t Handle, cublasMath_t *Mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t Handle, cublasPointerMode_t *Mode);
cublasStatus_t cublasSetPointerMode(cublasHandle_t Handle, cublasPointerMode_t Mode);
cublasStatus_t cublasSgemm(cublasHandle_t Handle, cublasOperation_t A, cublasOperation_t B, int M,
                           int N, int K, const float *Alpha, const float *MatA, int Lda,
                           const float *MatB, int Ldb, const float *Beta, float *MatC, int Ldc);
cublasStatus_t cublasSgemmBatched(cublasHandle_t Handle, cublasOperation_t A, cublasOperation_t B,
                                  int M, int N, int K, const float *Alpha,
                                  const float *const MatsA[], int Lda, const float *const MatsB[],
                                  int Ldb, const float *Beta, float *const MatsC[], int Ldc,
                                  int Count);
cublasStatus_t cublasGemmEx(cublasHandle_t Handle, cublasOperation_t A, cublasOperation_t B, int M,
                            int N, int K, const void *Alpha, const void *MatA, cudaDataType TypeA,
                            int Lda, const void *MatB, cudaDataType TypeB, int Ldb,
                            const void *Beta, void *MatC, cudaDataType TypeC, int Ldc,
                            cublasComputeType_t Compute, cublasGemmAlgo_t Algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t Handle, cublasOperation_t A,
                                          cublasOperation_t B, int M, int N, int K,
                                          const void *Alpha, const void *MatA, cudaDataType TypeA,
                                          int Lda, long long StrideA, const void *MatB,
                                          cudaDataType TypeB, int Ldb, long long StrideB,
                                          const void *Beta, void *MatC, cudaDataType TypeC, int Ldc,
                                          long long StrideC, int Count, cublasComputeType_t Compute,
                                          cublasGemmAlgo_t Algorithm);
#ifdef __cplusplus
}
#endif

#endif
