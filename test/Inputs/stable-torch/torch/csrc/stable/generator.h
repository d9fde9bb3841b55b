#pragma once
#include <torch/csrc/stable/version.h>
#if TORCH_FEATURE_VERSION >= TORCH_VERSION_3_3_0
namespace torch::stable {
class Generator {
public:
  enum class Kind { Host, Device };
};
} // namespace torch::stable
#endif
