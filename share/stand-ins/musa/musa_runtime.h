//===- musa_runtime.h - what mcc includes before everything else ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_MUSA_MUSA_RUNTIME_H
#define OPSIG_STANDIN_MUSA_MUSA_RUNTIME_H

#include "../cuda/cuda_runtime.h"
#include "musa_runtime_api.h"

#endif
