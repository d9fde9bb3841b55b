//===- hip_version.h - the version ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_HIP_HIP_HIP_VERSION_H
#define OPSIG_STANDIN_HIP_HIP_HIP_VERSION_H

#include "hip_runtime_api.h"

#endif
