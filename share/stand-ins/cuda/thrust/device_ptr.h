//===- device_ptr.h - with the others -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_THRUST_DEVICE_PTR_H
#define OPSIG_STANDIN_CUDA_THRUST_DEVICE_PTR_H

#include "thrust.h"

#endif
