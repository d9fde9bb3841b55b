//===- library_types.h - element types ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_HIP_HIP_LIBRARY_TYPES_H
#define OPSIG_STANDIN_HIP_HIP_LIBRARY_TYPES_H

#include "hip_runtime_api.h"

#endif
