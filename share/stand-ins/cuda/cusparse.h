//===- cusparse.h - cuSPARSE ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUSPARSE_H
#define OPSIG_STANDIN_CUDA_CUSPARSE_H

#include "cuComplex.h"
#include "driver_types.h"
#include "library_types.h"
#include <stdint.h>

#define CUSPARSE_VERSION 12500
#define CUSPARSE_VER_MAJOR 12

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef const struct cusparseSpVecDescr *cusparseConstSpVecDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;
typedef struct bsrsv2Info *bsrsv2Info_t;
typedef struct bsrsm2Info *bsrsm2Info_t;
typedef struct csrsv2Info *csrsv2Info_t;
typedef struct csrgemm2Info *csrgemm2Info_t;

typedef enum {
  CUSPARSE_STATUS_SUCCESS = 0,
  CUSPARSE_STATUS_NOT_INITIALIZED = 1,
  CUSPARSE_STATUS_ALLOC_FAILED = 2,
  CUSPARSE_STATUS_INVALID_VALUE = 3,
  CUSPARSE_STATUS_ARCH_MISMATCH = 4,
  CUSPARSE_STATUS_EXECUTION_FAILED = 6,
  CUSPARSE_STATUS_INTERNAL_ERROR = 7,
  CUSPARSE_STATUS_NOT_SUPPORTED = 10
} cusparseStatus_t;
typedef enum {
  CUSPARSE_OPERATION_NON_TRANSPOSE,
  CUSPARSE_OPERATION_TRANSPOSE,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
} cusparseOperation_t;
typedef enum { CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN } cusparseDirection_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE } cusparseIndexBase_t;
typedef enum {
  CUSPARSE_INDEX_16U = 1,
  CUSPARSE_INDEX_32I = 2,
  CUSPARSE_INDEX_64I = 3
} cusparseIndexType_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum {
  CUSPARSE_SOLVE_POLICY_NO_LEVEL,
  CUSPARSE_SOLVE_POLICY_USE_LEVEL
} cusparseSolvePolicy_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;
typedef enum {
  CUSPARSE_MATRIX_TYPE_GENERAL,
  CUSPARSE_MATRIX_TYPE_SYMMETRIC,
  CUSPARSE_MATRIX_TYPE_HERMITIAN,
  CUSPARSE_MATRIX_TYPE_TRIANGULAR
} cusparseMatrixType_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE } cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC, CUSPARSE_ACTION_NUMERIC } cusparseAction_t;

#ifdef __cplusplus
extern "C" {
#endif
cusparseStatus_t cusparseCreate(cusparseHandle_t *Handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t Handle);
cusparseStatus_t cusparseSetStream(cusparseHandle_t Handle, cudaStream_t Stream);
const char *cusparseGetErrorString(cusparseStatus_t Status);
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *To);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t Of);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t Of, cusparseFillMode_t Mode);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t Of, cusparseDiagType_t Type);
cusparseStatus_t cusparseCreateBsrsv2Info(bsrsv2Info_t *To);
cusparseStatus_t cusparseDestroyBsrsv2Info(bsrsv2Info_t Of);
cusparseStatus_t cusparseCreateBsrsm2Info(bsrsm2Info_t *To);
cusparseStatus_t cusparseDestroyBsrsm2Info(bsrsm2Info_t Of);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t Of);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t Of);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t Of);
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *To);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t Of);
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *To);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t Of);
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *To);
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t Of);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t Of, int64_t *Rows, int64_t *Columns,
                                      int64_t *Count);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t Of, cusparseSpMatAttribute_t Which,
                                           void *Value, size_t Size);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t Of, void *Rows, void *Columns,
                                        void *Values);
cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t Handle, int M, int N,
                                      const cusparseMatDescr_t A, int CountA, const int *RowsA,
                                      const int *ColumnsA, const cusparseMatDescr_t B, int CountB,
                                      const int *RowsB, const int *ColumnsB,
                                      const cusparseMatDescr_t C, int *RowsC, int *Count,
                                      void *Workspace);
#ifdef __cplusplus
}
#endif

#endif
