#pragma once
#include <ATen/core/TensorBody.h>

namespace at::functionalization {
enum class InverseReturnMode { AlwaysView, NeverView };
}

namespace at {
Tensor operator+(const Tensor &x, const Tensor &y);
Tensor operator+(const Tensor &x, double y);
Tensor operator*(const Tensor &x, const Tensor &y);
} // namespace at
