//===- cuda_pipeline_primitives.h - copies in the background --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUDA_PIPELINE_PRIMITIVES_H
#define OPSIG_STANDIN_CUDA_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_pipeline.h"

#endif
