//===- hip_cooperative_groups.h - groups of threads -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_HIP_HIP_HIP_COOPERATIVE_GROUPS_H
#define OPSIG_STANDIN_HIP_HIP_HIP_COOPERATIVE_GROUPS_H

#include "../../cuda/cooperative_groups.h"

#endif
