//===- cuda_prelude.h - what a CUDA compiler adds to a source -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUDA_PRELUDE_H
#define OPSIG_STANDIN_CUDA_CUDA_PRELUDE_H

// Where a toolkit is installed, its headers are found before these.
#if __has_include(<crt/common_functions.h>)
#define OPSIG_CUDA_TOOLKIT 1
#endif

// nvcc's own names of itself, by which headers know device code. Not __NVCC__: that one chooses
// what only nvcc's front end understands.
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__
#ifdef OPSIG_CUDA_TOOLKIT
// The compiler is as old as its headers.
#include <cuda.h>
#define __CUDACC_VER_MAJOR__ (CUDA_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDA_VERSION % 1000 / 10)
#else
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 6
#endif
#define __CUDACC_VER_BUILD__ 20
#endif
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1

#ifdef OPSIG_CUDA_TOOLKIT
// These headers refuse a Clang that is newer than they are, and two of them declare the C library's
// functions once more, for the device, which nvcc takes and Clang does not. So these two count as
// read, and what they bring stands here.
#define __NV_NO_HOST_COMPILER_CHECK 1
#define __COMMON_FUNCTIONS_H__
#define __MATH_FUNCTIONS_H__
#include <host_defines.h>
// Clang's own <new> and <algorithm> for CUDA want these before them.
#include <cstdlib>
#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <new>
#include "cuda_math_functions.h"
using std::max;
using std::min;
#endif
#include <cuda_runtime.h>

#endif
