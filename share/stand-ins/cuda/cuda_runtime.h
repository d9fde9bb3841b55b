//===- cuda_runtime.h - what nvcc includes before everything else ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUDA_RUNTIME_H
#define OPSIG_STANDIN_CUDA_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"
#include "host_defines.h"
#include "vector_functions.h"
#ifdef __cplusplus
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include "cuda_device_functions.h"
#ifdef __CUDA__
// Found without std::, as in nvcc's own headers.
using std::max;
using std::min;
#endif
#endif

#endif
