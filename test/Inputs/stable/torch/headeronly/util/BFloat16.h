#pragma once
namespace c10 {
struct BFloat16 {
  unsigned short x;
};
} // namespace c10
namespace torch::headeronly {
using c10::BFloat16;
}
