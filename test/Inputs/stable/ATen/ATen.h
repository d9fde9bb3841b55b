#if !defined(TORCH_STABLE_ONLY) && !defined(TORCH_TARGET_VERSION)
#pragma once
#include <c10/util/Types.h>
#include <string>
#include <tuple>
#include <variant>

namespace caffe2 {
class TypeMeta {};
inline bool operator==(TypeMeta, c10::ScalarType) { return true; }
} // namespace caffe2
namespace at {
class TensorBase {
public:
  int64_t dim() const;
  int64_t ndimension() const;
  int64_t numel() const;
  int64_t size(int64_t dim) const;
  int64_t stride(int64_t dim) const;
  IntArrayRef sizes() const;
  bool is_contiguous(c10::MemoryFormat format = c10::MemoryFormat::Contiguous) const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool defined() const;
  size_t nbytes() const;
  size_t element_size() const;
  int8_t get_device() const;
  c10::Device device() const;
  c10::ScalarType scalar_type() const;
  caffe2::TypeMeta dtype() const;
  TensorOptions options() const;
  void *data_ptr() const;
  template <typename T> T *data_ptr() const;
};
class Tensor : public TensorBase {
public:
  Tensor();
  Tensor &operator=(const Tensor &);
  Tensor(const Tensor &);
  Tensor operator[](int64_t index) const;
  Tensor &fill_(const c10::Scalar &value) const;
  Tensor &zero_() const;
  Tensor &copy_(const Tensor &src, bool non_blocking = false) const;
  Tensor clone() const;
  Tensor contiguous(c10::MemoryFormat format = c10::MemoryFormat::Contiguous) const;
  Tensor view(IntArrayRef size) const;
  Tensor transpose(int64_t dim0, int64_t dim1) const;
  Tensor squeeze() const;
  Tensor squeeze(int64_t dim) const;
  Tensor to(c10::ScalarType dtype, bool non_blocking = false, bool copy = false) const;
  Tensor to(c10::Device device, c10::ScalarType dtype, bool non_blocking = false) const;
  Tensor to(TensorOptions options, bool non_blocking = false) const;
  Tensor new_empty(IntArrayRef size, TensorOptions options = {}) const;
  Tensor cpu() const;
  Tensor cuda() const;
  Tensor cumsum(int64_t dim) const;
  c10::Scalar item() const;
  template <typename T> T item() const;
};
using TensorList = c10::ArrayRef<Tensor>;
Tensor empty(IntArrayRef size, TensorOptions options = {});
Tensor zeros(IntArrayRef size, TensorOptions options = {});
Tensor ones(IntArrayRef size, TensorOptions options = {});
Tensor full(IntArrayRef size, const c10::Scalar &value, TensorOptions options = {});
Tensor empty_like(const Tensor &self, TensorOptions options = {});
Tensor zeros_like(const Tensor &self, TensorOptions options = {});
Tensor pad(const Tensor &self, IntArrayRef pad, std::string mode = "constant");
Tensor cumsum(const Tensor &self, int64_t dim);
Tensor operator-(const Tensor &self, const Tensor &other);
Tensor operator+(const Tensor &self, const Tensor &other);
c10::optional<c10::Device> device_of(const Tensor &t);
} // namespace at
namespace torch {
using namespace at;
constexpr auto kInt32 = at::kInt;
constexpr auto kFloat32 = at::kFloat;
using Dtype = at::ScalarType;
namespace autograd {
template <typename T> struct Function {};
} // namespace autograd
} // namespace torch

#define TORCH_CHECK(cond, ...)                                                                     \
  if (!(cond)) {                                                                                   \
    c10::fail(__func__);                                                                           \
  }
#define TORCH_CHECK_NOT_IMPLEMENTED(cond, ...) TORCH_CHECK(cond, __VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(cond, ...) TORCH_CHECK(cond, __VA_ARGS__)
#define TORCH_WARN(...) c10::fail(__func__)
#define AT_ERROR(...) c10::fail(__func__)
#define AT_CASE(enum_type, ...)                                                                    \
  case enum_type: {                                                                                \
    using scalar_t [[maybe_unused]] = c10::ScalarTypeToCPPType<enum_type>::type;                   \
    return __VA_ARGS__();                                                                          \
  }
#define AT_DISPATCH_CASE(enum_type, ...) AT_CASE(enum_type, __VA_ARGS__)
#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                                                        \
  [&] {                                                                                            \
    switch (TYPE) {                                                                                \
      __VA_ARGS__                                                                                  \
    default:                                                                                       \
      c10::fail(NAME);                                                                             \
    }                                                                                              \
  }()
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...)                                                \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_CASE(at::ScalarType::Double, __VA_ARGS__)                      \
                                     AT_CASE(at::ScalarType::Float, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(S1, S2, TYPE, NAME, ...)                                   \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_CASE(at::ScalarType::Double, __VA_ARGS__)                      \
                                     AT_CASE(at::ScalarType::Float, __VA_ARGS__)                   \
                                         AT_CASE(S1, __VA_ARGS__) AT_CASE(S2, __VA_ARGS__))
#else
#error "not for stable code"
#endif
