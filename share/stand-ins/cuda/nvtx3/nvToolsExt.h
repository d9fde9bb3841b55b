//===- nvToolsExt.h - the same in its newer place -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_NVTX3_NVTOOLSEXT_H
#define OPSIG_STANDIN_CUDA_NVTX3_NVTOOLSEXT_H

#include "../nvToolsExt.h"

#endif
