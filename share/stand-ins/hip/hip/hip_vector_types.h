//===- hip_vector_types.h - int2, float4 and their kin --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_HIP_HIP_HIP_VECTOR_TYPES_H
#define OPSIG_STANDIN_HIP_HIP_HIP_VECTOR_TYPES_H

#include "../../cuda/vector_types.h"

#endif
