#pragma once
#include <cstdint>
#include <torch/csrc/stable/version.h>
struct AtenTensorOpaque;
using AtenTensorHandle = AtenTensorOpaque *;
using AOTITorchError = int32_t;
using StableIValue = uint64_t;
extern "C" {
AOTITorchError aoti_torch_get_dim(AtenTensorHandle tensor, int64_t *ret_dim);
void aoti_torch_warn(const char *func, const char *file, uint32_t line, const char *msg);
#ifdef USE_CUDA
AOTITorchError aoti_torch_get_current_cuda_stream(int32_t device_index, void **ret_stream);
#endif
}
