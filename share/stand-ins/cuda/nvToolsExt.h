//===- nvToolsExt.h - ranges for profilers --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_NVTOOLSEXT_H
#define OPSIG_STANDIN_CUDA_NVTOOLSEXT_H

#include <stdint.h>

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
#ifdef __cplusplus
extern "C" {
#endif
int nvtxRangePushA(const char *Message);
int nvtxRangePop(void);
void nvtxMarkA(const char *Message);
nvtxRangeId_t nvtxRangeStartA(const char *Message);
void nvtxRangeEnd(nvtxRangeId_t Id);
#ifdef __cplusplus
}
#endif
#define nvtxRangePush nvtxRangePushA
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA

#endif
