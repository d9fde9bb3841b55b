//===- nccl.h - collective operations -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_NCCL_H
#define OPSIG_STANDIN_CUDA_NCCL_H

#include "cuda_runtime_api.h"

#define NCCL_MAJOR 2
#define NCCL_MINOR 21
#define NCCL_PATCH 5
#define NCCL_VERSION(X, Y, Z) ((X) * 10000 + (Y) * 100 + (Z))
#define NCCL_VERSION_CODE 22105
#define NCCL_UNIQUE_ID_BYTES 128

typedef struct ncclComm *ncclComm_t;
typedef struct {
  char internal[NCCL_UNIQUE_ID_BYTES];
} ncclUniqueId;
typedef enum {
  ncclSuccess = 0, ncclUnhandledCudaError = 1, ncclSystemError = 2, ncclInternalError = 3,
  ncclInvalidArgument = 4, ncclInvalidUsage = 5, ncclRemoteError = 6, ncclInProgress = 7
} ncclResult_t;
typedef enum {
  ncclInt8 = 0, ncclChar = 0, ncclUint8 = 1, ncclInt32 = 2, ncclInt = 2, ncclUint32 = 3,
  ncclInt64 = 4, ncclUint64 = 5, ncclFloat16 = 6, ncclHalf = 6, ncclFloat32 = 7, ncclFloat = 7,
  ncclFloat64 = 8, ncclDouble = 8, ncclBfloat16 = 9
} ncclDataType_t;
typedef enum {
  ncclSum = 0, ncclProd = 1, ncclMax = 2, ncclMin = 3, ncclAvg = 4
} ncclRedOp_t;
#ifdef __cplusplus
extern "C" {
#endif
const char *ncclGetErrorString(ncclResult_t Result);
ncclResult_t ncclGetUniqueId(ncclUniqueId *Id);
ncclResult_t ncclCommInitRank(ncclComm_t *Comm, int Ranks, ncclUniqueId Id, int Rank);
ncclResult_t ncclCommDestroy(ncclComm_t Comm);
ncclResult_t ncclGroupStart(void);
ncclResult_t ncclGroupEnd(void);
ncclResult_t ncclSend(const void *From, size_t Count, ncclDataType_t Type, int Peer,
                      ncclComm_t Comm, cudaStream_t Stream);
ncclResult_t ncclRecv(void *To, size_t Count, ncclDataType_t Type, int Peer, ncclComm_t Comm,
                      cudaStream_t Stream);
ncclResult_t ncclAllReduce(const void *From, void *To, size_t Count, ncclDataType_t Type,
                           ncclRedOp_t Operation, ncclComm_t Comm, cudaStream_t Stream);
ncclResult_t ncclAllGather(const void *From, void *To, size_t Count, ncclDataType_t Type,
                           ncclComm_t Comm, cudaStream_t Stream);
#ifdef __cplusplus
}
#endif

#endif
