//===- cuda_profiler_api.h - starting and stopping profilers --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUDA_PROFILER_API_H
#define OPSIG_STANDIN_CUDA_CUDA_PROFILER_API_H

#include "cuda_runtime_api.h"

#endif
