//===- cuda_prelude.h - what a CUDA compiler adds to a source -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUDA_PRELUDE_H
#define OPSIG_STANDIN_CUDA_CUDA_PRELUDE_H

// nvcc's own names of itself, by which headers know device code. Not __NVCC__: that one chooses
// what only nvcc's front end understands.
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 6
#define __CUDACC_VER_BUILD__ 20
#endif
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#include <cuda_runtime.h>

#endif
