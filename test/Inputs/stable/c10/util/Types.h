#if !defined(TORCH_STABLE_ONLY) && !defined(TORCH_TARGET_VERSION)
#pragma once
#include <optional>
#include <string_view>
#include <torch/headeronly/core/DeviceType.h>
#include <torch/headeronly/core/Layout.h>
#include <torch/headeronly/core/MemoryFormat.h>
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>
namespace c10 {
using std::nullopt;
using std::optional;
using std::string_view;
constexpr ScalarType kByte = ScalarType::Byte, kInt = ScalarType::Int, kLong = ScalarType::Long,
                     kHalf = ScalarType::Half, kFloat = ScalarType::Float,
                     kDouble = ScalarType::Double, kBool = ScalarType::Bool,
                     kBFloat16 = ScalarType::BFloat16;
[[noreturn]] void fail(const char *where);
template <typename T> class ArrayRef : public HeaderOnlyArrayRef<T> {
public:
  using HeaderOnlyArrayRef<T>::HeaderOnlyArrayRef;
};
using IntArrayRef = ArrayRef<int64_t>;
using DeviceIndex = int8_t;
class Device {
public:
  Device(DeviceType type, DeviceIndex index = -1);
  DeviceType type() const;
  DeviceIndex index() const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool operator==(const Device &other) const;
};
class Scalar {
public:
  Scalar(double value);
};
class SymInt {};
struct TensorOptions {
  TensorOptions();
  TensorOptions(ScalarType dtype);
  TensorOptions(Device device);
  TensorOptions dtype(ScalarType dtype) const;
  TensorOptions device(Device device) const;
  TensorOptions layout(Layout layout) const;
  TensorOptions requires_grad(bool requires_grad) const;
};
inline TensorOptions dtype(ScalarType dtype) { return TensorOptions(dtype); }
inline TensorOptions device(Device device) { return TensorOptions(device); }
} // namespace c10
namespace at {
using namespace c10;
}
#else
#error "not for stable code"
#endif
