#pragma once
namespace c10 {
struct Half {
  unsigned short x;
};
} // namespace c10
namespace torch::headeronly {
using c10::Half;
}
