#ifndef STABLE_TORCH_SHIM
#define STABLE_TORCH_SHIM
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#ifdef __cplusplus
extern "C" {
#endif
#if TORCH_FEATURE_VERSION >= TORCH_VERSION_3_2_0
int torch_call_dispatcher(const char *op, const char *overload, unsigned long *stack, unsigned long version);
#if TORCH_FEATURE_VERSION >= TORCH_VERSION_3_4_0
int torch_within(AtenTensorHandle tensor);
#endif
#endif
#ifdef __cplusplus
}
#endif
#endif
