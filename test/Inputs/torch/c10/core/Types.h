// The types of c10 that hold no tensor.
#pragma once
#include <c10/util/ArrayRef.h>

namespace c10 {
enum class ScalarType : int8_t { Byte, Long, Float, Half, BFloat16 };
constexpr ScalarType kLong = ScalarType::Long;
constexpr ScalarType kFloat = ScalarType::Float;
enum class DeviceType : int8_t { CPU, CUDA };
constexpr DeviceType kCPU = DeviceType::CPU;
enum class Layout : int8_t { Strided };
enum class MemoryFormat : int8_t { Contiguous, ChannelsLast };
enum class QScheme : uint8_t { PER_TENSOR_AFFINE };
using DeviceIndex = int8_t;
struct Device {};
struct TensorOptions {};
struct Storage {};
struct Stream {};
class Scalar {
public:
  Scalar();
  Scalar(double);
};
class SymInt {
public:
  SymInt(int64_t);
};
class SymBool {};
using SymIntArrayRef = ArrayRef<SymInt>;
using OptionalSymIntArrayRef = OptionalArrayRef<SymInt>;
} // namespace c10
