//===- fill.h - with the others -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_THRUST_FILL_H
#define OPSIG_STANDIN_CUDA_THRUST_FILL_H

#include "thrust.h"

#endif
