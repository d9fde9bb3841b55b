//===- cublasLt.h - cuBLASLt ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUBLASLT_H
#define OPSIG_STANDIN_CUDA_CUBLASLT_H

#include "cublas_api.h"

typedef struct cublasLtContext *cublasLtHandle_t;
typedef unsigned long long cublasLtOpaqueWord_t;
#define OPSIG_OPAQUE(Name, Words)                                                                  \
  typedef struct {                                                                                 \
    cublasLtOpaqueWord_t data[Words];                                                              \
  } Name##Opaque_t;                                                                                \
  typedef Name##Opaque_t *Name##_t;
OPSIG_OPAQUE(cublasLtMatrixLayout, 8)
OPSIG_OPAQUE(cublasLtMatmulDesc, 32)
OPSIG_OPAQUE(cublasLtMatmulPreference, 8)
OPSIG_OPAQUE(cublasLtMatrixTransformDesc, 8)
#undef OPSIG_OPAQUE
typedef struct {
  cublasLtOpaqueWord_t data[8];
} cublasLtMatmulAlgo_t;
typedef struct {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
} cublasLtMatmulHeuristicResult_t;

typedef enum {
  CUBLASLT_MATRIX_LAYOUT_TYPE, CUBLASLT_MATRIX_LAYOUT_ORDER, CUBLASLT_MATRIX_LAYOUT_ROWS,
  CUBLASLT_MATRIX_LAYOUT_COLS, CUBLASLT_MATRIX_LAYOUT_LD, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET,
  CUBLASLT_GROUPED_MATRIX_LAYOUT_LD_ARRAY_INTEGER_WIDTH,
  CUBLASLT_GROUPED_MATRIX_LAYOUT_ROWS_COLS_ARRAY_INTEGER_WIDTH
} cublasLtMatrixLayoutAttribute_t;
typedef enum { CUBLASLT_INTEGER_WIDTH_32, CUBLASLT_INTEGER_WIDTH_64 } cublasLtIntegerWidth_t;
typedef enum {
  CUBLASLT_ORDER_COL = 0, CUBLASLT_ORDER_ROW = 1, CUBLASLT_ORDER_COL32 = 2
} cublasLtOrder_t;
typedef enum {
  CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, CUBLASLT_MATMUL_DESC_SCALE_TYPE,
  CUBLASLT_MATMUL_DESC_POINTER_MODE, CUBLASLT_MATMUL_DESC_TRANSA, CUBLASLT_MATMUL_DESC_TRANSB,
  CUBLASLT_MATMUL_DESC_TRANSC, CUBLASLT_MATMUL_DESC_FILL_MODE, CUBLASLT_MATMUL_DESC_EPILOGUE,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER
} cublasLtMatmulDescAttributes_t;
typedef enum {
  CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1
} cublasLtMatmulPreferenceAttributes_t;
typedef enum {
  CUBLASLT_EPILOGUE_DEFAULT = 1, CUBLASLT_EPILOGUE_RELU = 2, CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 6, CUBLASLT_EPILOGUE_GELU = 32, CUBLASLT_EPILOGUE_GELU_BIAS = 36
} cublasLtEpilogue_t;
typedef enum {
  CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F = 0, CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3 = 1,
  CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0 = 2, CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F = 3,
  CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F = 4, CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F = 5
} cublasLtMatmulMatrixScale_t;

#ifdef __cplusplus
extern "C" {
#endif
cublasStatus_t cublasLtCreate(cublasLtHandle_t *Handle);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t Handle);
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *Layout, cudaDataType Type,
                                          uint64_t Rows, uint64_t Columns, int64_t Ld);
cublasStatus_t cublasLtGroupedMatrixLayoutCreate(cublasLtMatrixLayout_t *Layout,
                                                 cudaDataType Type, int Groups, const void *Rows,
                                                 const void *Columns, const void *Ld);
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t Layout);
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t Layout,
                                                cublasLtMatrixLayoutAttribute_t Which,
                                                const void *Value, size_t Size);
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *Desc, cublasComputeType_t Compute,
                                        cudaDataType_t Scale);
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t Desc);
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t Desc,
                                              cublasLtMatmulDescAttributes_t Which,
                                              const void *Value, size_t Size);
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *Preference);
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t Preference);
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t Preference,
                                                    cublasLtMatmulPreferenceAttributes_t Which,
                                                    const void *Value, size_t Size);
#ifdef __cplusplus
}
#endif

#endif
