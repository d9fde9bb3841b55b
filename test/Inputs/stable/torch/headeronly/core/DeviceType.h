#pragma once
#include <cstdint>
namespace c10 {
enum class DeviceType : int8_t { CPU, CUDA };
constexpr DeviceType kCPU = DeviceType::CPU;
constexpr DeviceType kCUDA = DeviceType::CUDA;
} // namespace c10
namespace torch::headeronly {
using c10::DeviceType;
using c10::kCPU;
using c10::kCUDA;
} // namespace torch::headeronly
