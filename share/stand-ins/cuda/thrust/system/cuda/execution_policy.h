//===- execution_policy.h - with the others -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_THRUST_SYSTEM_CUDA_EXECUTION_POLICY_H
#define OPSIG_STANDIN_CUDA_THRUST_SYSTEM_CUDA_EXECUTION_POLICY_H

#include "../../thrust.h"

#endif
