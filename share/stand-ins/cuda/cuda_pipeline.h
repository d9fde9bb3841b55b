//===- cuda_pipeline.h - copies in the background -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUDA_PIPELINE_H
#define OPSIG_STANDIN_CUDA_CUDA_PIPELINE_H

#include "cuda_runtime.h"

#include <stddef.h>

__device__ void __pipeline_memcpy_async(void *To, const void *From, size_t Size, size_t Fill = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t Count);

#endif
