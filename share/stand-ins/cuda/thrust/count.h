//===- count.h - with the others ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_THRUST_COUNT_H
#define OPSIG_STANDIN_CUDA_THRUST_COUNT_H

#include "thrust.h"

#endif
