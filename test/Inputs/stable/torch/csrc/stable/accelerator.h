#pragma once
#include <cstdint>
#include <torch/csrc/stable/c/shim.h>
namespace torch::stable::accelerator {
using DeviceIndex = int32_t;
class DeviceGuard {
public:
  explicit DeviceGuard(DeviceIndex device_index);
};
class Stream {
public:
  int64_t id() const;
#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_13_0
  void *nativeHandle() const;
#endif
};
Stream getCurrentStream(DeviceIndex device_index);
DeviceIndex getCurrentDeviceIndex();
} // namespace torch::stable::accelerator
