#pragma once
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/version.h>
extern "C" {
#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_10_0
AOTITorchError torch_call_dispatcher(const char *name, const char *overload, StableIValue *stack,
                                     uint64_t version);
#endif
}
