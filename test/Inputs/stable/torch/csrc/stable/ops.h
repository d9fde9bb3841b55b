#pragma once
#include <optional>
#include <string>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/core/MemoryFormat.h>
namespace torch::stable {
using torch::headeronly::MemoryFormat;
inline Tensor empty_like(const Tensor &self) { return self; }
inline Tensor fill_(const Tensor &self, double value) { return self; }
inline Tensor zero_(Tensor &self) { return self; }
inline Tensor copy_(Tensor &self, const Tensor &src, std::optional<bool> non_blocking = std::nullopt) { return self; }
inline Tensor clone(const Tensor &self) { return self; }
inline Tensor narrow(Tensor &self, int64_t dim, int64_t start, int64_t length) { return self; }
inline Tensor pad(const Tensor &self, IntHeaderOnlyArrayRef pad, const std::string &mode = "constant", double value = 0.0) { return self; }
inline Tensor transpose(const Tensor &self, int64_t dim0, int64_t dim1) { return self; }
inline Tensor unsqueeze(const Tensor &self, int64_t dim) { return self; }
inline Tensor squeeze(const Tensor &self, int64_t dim) { return self; }
inline Tensor select(const Tensor &self, int64_t dim, int64_t index) { return self; }
#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_10_0
inline Tensor empty(IntHeaderOnlyArrayRef size, std::optional<ScalarType> dtype = std::nullopt, std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt, std::optional<bool> pin_memory = std::nullopt) { return {}; }
inline Tensor full(IntHeaderOnlyArrayRef size, double fill_value, std::optional<ScalarType> dtype = std::nullopt, std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt, std::optional<bool> pin_memory = std::nullopt) { return {}; }
inline Tensor new_empty(const Tensor &self, IntHeaderOnlyArrayRef size, std::optional<ScalarType> dtype = std::nullopt, std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt, std::optional<bool> pin_memory = std::nullopt) { return self; }
inline Tensor new_zeros(const Tensor &self, IntHeaderOnlyArrayRef size, std::optional<ScalarType> dtype = std::nullopt, std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt, std::optional<bool> pin_memory = std::nullopt) { return self; }
inline Tensor view(const Tensor &self, IntHeaderOnlyArrayRef size) { return self; }
inline Tensor reshape(const Tensor &self, IntHeaderOnlyArrayRef shape) { return self; }
inline Tensor contiguous(const Tensor &self, MemoryFormat format = MemoryFormat::Contiguous) { return self; }
inline Tensor to(const Tensor &self, std::optional<ScalarType> dtype = std::nullopt, std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt, std::optional<bool> pin_memory = std::nullopt, bool non_blocking = false, bool copy = false) { return self; }
inline Tensor to(const Tensor &self, Device device, bool non_blocking = false, bool copy = false) { return self; }
inline Tensor subtract(const Tensor &self, const Tensor &other, double alpha = 1.0) { return self; }
#endif
} // namespace torch::stable
