#ifndef AOTI_TORCH_SHIM
#define AOTI_TORCH_SHIM
#include <torch/csrc/stable/version.h>
#ifdef __cplusplus
extern "C" {
#endif
struct AtenTensorOpaque;
using AtenTensorHandle = AtenTensorOpaque *;
int aoti_torch_get_dim(AtenTensorHandle tensor, long *ret);
int aoti_torch_get_size(AtenTensorHandle tensor, long dim, long *ret);
int aoti_torch_call_dispatcher(const char *op, const char *overload, unsigned long *stack);
#ifdef USE_CUDA
int aoti_torch_get_current_cuda_stream(int device, void **ret);
#endif
#if TORCH_FEATURE_VERSION >= TORCH_VERSION_3_3_0
int aoti_torch_late(AtenTensorHandle tensor);
#endif
#ifdef __cplusplus
}
#endif
#endif
