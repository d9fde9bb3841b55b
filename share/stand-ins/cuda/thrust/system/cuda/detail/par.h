//===- par.h - with the others --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_THRUST_SYSTEM_CUDA_DETAIL_PAR_H
#define OPSIG_STANDIN_CUDA_THRUST_SYSTEM_CUDA_DETAIL_PAR_H

#include "../../../thrust.h"

#endif
