#pragma once
#include <cstdint>
#include <ostream>
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/BFloat16.h>
#include <torch/headeronly/util/Half.h>
namespace c10 {
enum class ScalarType : int8_t { Byte, Char, Short, Int, Long, Half, Float, Double, Bool, BFloat16 };
const char *toString(ScalarType t);
std::ostream &operator<<(std::ostream &stream, ScalarType t);
template <ScalarType N> struct ScalarTypeToCPPType;
template <> struct ScalarTypeToCPPType<ScalarType::Float> { using type = float; };
template <> struct ScalarTypeToCPPType<ScalarType::Double> { using type = double; };
template <> struct ScalarTypeToCPPType<ScalarType::Half> { using type = Half; };
template <> struct ScalarTypeToCPPType<ScalarType::BFloat16> { using type = BFloat16; };
template <> struct ScalarTypeToCPPType<ScalarType::Int> { using type = int; };
template <> struct ScalarTypeToCPPType<ScalarType::Long> { using type = int64_t; };
} // namespace c10
namespace torch::headeronly {
using c10::ScalarType;
using c10::toString;
using c10::operator<<;
} // namespace torch::headeronly
