#if !defined(TORCH_STABLE_ONLY) && !defined(TORCH_TARGET_VERSION)
#pragma once
#include <ATen/ATen.h>
#include <cuda_runtime.h>
namespace c10::cuda {
class CUDAStream {
public:
  operator cudaStream_t() const;
  cudaStream_t stream() const;
};
CUDAStream getCurrentCUDAStream(c10::DeviceIndex index = -1);
struct CUDAGuard {
  explicit CUDAGuard(c10::Device device);
  explicit CUDAGuard(c10::DeviceIndex index);
};
struct OptionalCUDAGuard {
  explicit OptionalCUDAGuard(c10::optional<c10::Device> device);
};
} // namespace c10::cuda
namespace at::cuda {
using namespace c10::cuda;
}
#define C10_CUDA_CHECK(EXPR)                                                                       \
  do {                                                                                             \
    if ((EXPR) != 0)                                                                               \
      c10::fail(#EXPR);                                                                            \
  } while (0)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#else
#error "not for stable code"
#endif
