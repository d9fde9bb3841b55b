#pragma once
#define STD_TORCH_CHECK(cond, ...) ((void)(cond))
namespace c10 {
inline namespace v1 {
struct Half {
  unsigned short x;
};
enum class ScalarType : signed char { Byte, Float };
} // namespace v1
} // namespace c10
namespace torch::headeronly {
using c10::Half;
using c10::ScalarType;
constexpr ScalarType kByte = ScalarType::Byte;
using ScalarTypes = ScalarType *;
} // namespace torch::headeronly
