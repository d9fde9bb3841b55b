//===- cuda_cmake_macros.h - what a build of PyTorch for CUDA writes there ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_TORCH_C10_CUDA_IMPL_CUDA_CMAKE_MACROS_H
#define OPSIG_STANDIN_TORCH_C10_CUDA_IMPL_CUDA_CMAKE_MACROS_H

// A PyTorch that was built without CUDA is installed without this header.
#define C10_CUDA_BUILD_SHARED_LIBS

#endif
