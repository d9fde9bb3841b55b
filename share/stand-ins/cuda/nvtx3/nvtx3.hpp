//===- nvtx3.hpp - the same in its newer place ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_NVTX3_NVTX3_HPP
#define OPSIG_STANDIN_CUDA_NVTX3_NVTX3_HPP

#include "../nvToolsExt.h"

#endif
