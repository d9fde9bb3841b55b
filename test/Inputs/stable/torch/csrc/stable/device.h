#pragma once
#include <string>
#include <torch/csrc/stable/accelerator.h>
#include <torch/headeronly/core/DeviceType.h>
namespace torch::stable {
using DeviceType = torch::headeronly::DeviceType;
using DeviceIndex = torch::stable::accelerator::DeviceIndex;
class Device {
public:
  Device(DeviceType type, DeviceIndex index = -1);
  DeviceType type() const;
  DeviceIndex index() const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool operator==(const Device &other) const;
};
} // namespace torch::stable
