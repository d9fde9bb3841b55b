//===- reduce.h - with the others -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_COOPERATIVE_GROUPS_REDUCE_H
#define OPSIG_STANDIN_CUDA_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

#endif
