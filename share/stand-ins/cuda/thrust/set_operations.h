//===- set_operations.h - with the others ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_THRUST_SET_OPERATIONS_H
#define OPSIG_STANDIN_CUDA_THRUST_SET_OPERATIONS_H

#include "thrust.h"

#endif
