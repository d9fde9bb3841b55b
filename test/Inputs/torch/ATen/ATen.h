#pragma once
#include <ATen/core/TensorBody.h>

namespace at::functionalization {
enum class InverseReturnMode { AlwaysView, NeverView };
}
