#pragma once
#include <stdexcept>
#include <torch/csrc/stable/c/shim.h>
#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_10_0
#define STD_CUDA_CHECK(EXPR)                                                                       \
  do {                                                                                             \
    if ((EXPR) != 0)                                                                               \
      throw std::runtime_error(#EXPR);                                                             \
  } while (0)
#define STD_CUDA_KERNEL_LAUNCH_CHECK() STD_CUDA_CHECK(cudaGetLastError())
#endif
