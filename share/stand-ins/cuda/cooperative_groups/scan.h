//===- scan.h - with the others -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_COOPERATIVE_GROUPS_SCAN_H
#define OPSIG_STANDIN_CUDA_COOPERATIVE_GROUPS_SCAN_H

#include "../cooperative_groups.h"

#endif
