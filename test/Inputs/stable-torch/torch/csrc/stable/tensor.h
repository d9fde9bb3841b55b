#pragma once
#include <torch/csrc/stable/c/shim.h>
#include <torch/headeronly/util/Exception.h>

#define NAMESPACE_BEGIN(a, b) namespace a { namespace b __attribute__((visibility("hidden"))) {
#define NAMESPACE_END(a, b) } }

NAMESPACE_BEGIN(torch, stable)
class Tensor {
  AtenTensorHandle ath_;
  long hidden() const { return 0; }

public:
  Tensor() {}
  explicit Tensor(AtenTensorHandle ath) : ath_(ath) {}
  long dim() const {
    long ret = 0;
    aoti_torch_get_dim(ath_, &ret);
    return ret;
  }
  long size(long dim) const;
#if TORCH_FEATURE_VERSION >= TORCH_VERSION_3_2_0
  template <typename T> T *mutable_data_ptr() const { return nullptr; }
  bool has_storage() const;
#endif
};

inline Tensor narrow(Tensor &self, long dim, long start, long length) { return self; }
#if TORCH_FEATURE_VERSION < TORCH_VERSION_3_2_0
inline Tensor new_empty(const Tensor &self, long size) { return self; }
#else
inline Tensor new_empty(const Tensor &self, long size, bool pin = false) { return self; }
#endif
#if TORCH_FEATURE_VERSION >= TORCH_VERSION_3_3_0
template <class F> void parallel_for(long begin, long end, long grain, const F &f) {}
#endif
#if TORCH_FEATURE_VERSION < TORCH_VERSION_3_3_0
inline int gone(const Tensor &self) { return 0; }
#endif
NAMESPACE_END(torch, stable)

#if TORCH_FEATURE_VERSION >= TORCH_VERSION_3_2_0
#define STD_CUDA_CHECK(EXPR) (EXPR)
#endif
#if TORCH_FEATURE_VERSION >= TORCH_VERSION_3_3_0
#define BOTH_WAYS(x) (x)
#else
#define BOTH_WAYS(x) ((x) + 0)
#endif
