#pragma once
#include <torch/csrc/stable/device.h>
#include <torch/headeronly/core/Layout.h>
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>
#include <torch/headeronly/util/shim_utils.h>
#include <type_traits>
namespace torch::stable {
using torch::headeronly::IntHeaderOnlyArrayRef;
using torch::headeronly::Layout;
using torch::headeronly::ScalarType;
class Tensor {
public:
  Tensor();
  void *data_ptr() const;
#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_10_0
  void *mutable_data_ptr() const;
  const void *const_data_ptr() const;
  template <typename T> T *mutable_data_ptr() const;
  template <typename T, std::enable_if_t<!std::is_const_v<T>, int> = 0> const T *const_data_ptr() const;
#endif
  int64_t dim() const;
  int64_t numel() const;
  IntHeaderOnlyArrayRef sizes() const;
  IntHeaderOnlyArrayRef strides() const;
  bool is_contiguous() const;
  int64_t stride(int64_t dim) const;
  int64_t size(int64_t dim) const;
  int8_t get_device() const;
  DeviceIndex get_device_index() const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool defined() const;
  size_t element_size() const;
  ScalarType scalar_type() const;
  Device device() const;
  Layout layout() const;
};
} // namespace torch::stable
