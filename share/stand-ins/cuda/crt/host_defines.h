//===- host_defines.h - the same under its newer name ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CRT_HOST_DEFINES_H
#define OPSIG_STANDIN_CUDA_CRT_HOST_DEFINES_H

#include "../host_defines.h"

#endif
