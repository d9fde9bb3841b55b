#pragma once
#include <cstdint>
namespace c10 {
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast };
}
namespace torch::headeronly {
using c10::MemoryFormat;
}
