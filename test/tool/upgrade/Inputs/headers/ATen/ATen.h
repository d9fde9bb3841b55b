#pragma once
#include <c10/util/Exception.h>
namespace at {
enum class ScalarType { Float, Double };
struct DeprecatedTypeProperties {
  bool is_cuda() const;
  ScalarType scalarType() const;
};
struct TensorOptions {
  TensorOptions(const DeprecatedTypeProperties &);
  TensorOptions(ScalarType);
};
struct Context {
  void lazyInitCUDA();
};
Context &globalContext();
class Tensor {
public:
  [[deprecated("use options()")]] DeprecatedTypeProperties &type() const;
  template <typename T> [[deprecated("use data_ptr")]] T *data() const;
  template <typename T> T *data_ptr() const;
  bool is_cuda() const;
  ScalarType scalar_type() const;
  long numel() const;
  TensorOptions options() const;
  template <typename T> T item() const;
  template <typename T, int N> [[deprecated("use packed_accessor64")]] T packed_accessor() const;
  template <typename T, int N> T packed_accessor64() const;
};
Tensor zeros(long, TensorOptions);
} // namespace at
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...)                                                \
  do {                                                                                             \
    at::ScalarType type_ = TYPE;                                                                   \
    using scalar_t = float;                                                                        \
    if (type_ == at::ScalarType::Float)                                                            \
      __VA_ARGS__();                                                                               \
  } while (false)
