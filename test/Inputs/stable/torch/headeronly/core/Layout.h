#pragma once
#include <cstdint>
namespace c10 {
enum class Layout : int8_t { Strided, Sparse };
constexpr auto kStrided = Layout::Strided;
} // namespace c10
namespace torch::headeronly {
using c10::kStrided;
using c10::Layout;
} // namespace torch::headeronly
