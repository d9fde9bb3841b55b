//===- CUDAConfig.h - what a build of PyTorch for CUDA writes there -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_TORCH_ATEN_CUDA_CUDACONFIG_H
#define OPSIG_STANDIN_TORCH_ATEN_CUDA_CUDACONFIG_H

// A PyTorch that was built without CUDA is installed without this header.
#define AT_CUDNN_ENABLED() 0
#define AT_CUSPARSELT_ENABLED() 0
#define AT_HIPSPARSELT_ENABLED() 0
#define AT_ROCM_ENABLED() 0
#define AT_MAGMA_ENABLED() 0
#define AT_MAGMA_VERSION 0
#define NVCC_FLAGS_EXTRA ""

#endif
