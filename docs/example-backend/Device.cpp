//===- Device.cpp - allocator, device guard, CPU fallback -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Device.h"

#include <ATen/native/CPUFallback.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

namespace demo {
namespace {

c10::DataPtr allocateOnDevice(size_t bytes) {
  void *data = bytes ? std::malloc(bytes) : nullptr;
  if (bytes && !data)
    throw std::bad_alloc();
  return {data, data, &std::free, c10::Device(c10::DeviceType::PrivateUse1, 0)};
}

// For old and new releases of PyTorch: 'allocate' of the base class is const in the former and not
// in the latter, which want 'copy_data', too. So one function each overrides nothing, and none says
// 'override'.
class DemoAllocator final : public c10::Allocator {
public:
  c10::DataPtr allocate(size_t bytes) { return allocateOnDevice(bytes); }
  c10::DataPtr allocate(size_t bytes) const { return allocateOnDevice(bytes); }
  void copy_data(void *to, const void *from, std::size_t bytes) const {
    std::memcpy(to, from, bytes);
  }
  c10::DeleterFnPtr raw_deleter() const { return &std::free; }
};

DemoAllocator theAllocator;

} // namespace

c10::Allocator *allocator() { return &theAllocator; }

at::Tensor hostView(const at::Tensor &tensor) {
  if (tensor.is_cpu())
    return tensor;
  TORCH_CHECK(tensor.device().type() == c10::DeviceType::PrivateUse1,
              "the demo device copies from and to the CPU only, not ", tensor.device());
  return at::from_blob(tensor.data_ptr(), tensor.sizes(), tensor.strides(),
                       at::TensorOptions().dtype(tensor.dtype()).device(at::kCPU));
}

} // namespace demo

REGISTER_ALLOCATOR(c10::DeviceType::PrivateUse1, &demo::theAllocator)

namespace {

// PyTorch asks the guard how many devices there are and which one is current; since 2.x autograd asks
// for its stream, too. There is one device with one stream, so nothing needs switching. Without a
// guard, even 'tensor.to(device)' is refused.
class DemoGuard final : public c10::impl::DeviceGuardImplInterface {
  const c10::Device device{c10::DeviceType::PrivateUse1, 0};
  const c10::Stream stream{c10::Stream::DEFAULT, device};

public:
  c10::DeviceType type() const override { return device.type(); }
  c10::Device exchangeDevice(c10::Device) const override { return device; }
  c10::Device getDevice() const override { return device; }
  void setDevice(c10::Device) const override {}
  void uncheckedSetDevice(c10::Device) const noexcept override {}
  c10::Stream getStream(c10::Device) const noexcept override { return stream; }
  c10::Stream getDefaultStream(c10::Device) const override { return stream; }
  c10::Stream exchangeStream(c10::Stream) const noexcept override { return stream; }
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }
};

} // namespace

C10_REGISTER_GUARD_IMPL(PrivateUse1, DemoGuard);

namespace {

std::mutex fallbackMutex;
std::vector<std::string> fallbackNames;

// Serves every operator that has no kernel for this device: copies the tensors to the CPU, runs the
// CPU kernel there and copies the results back. The names are noted, because an unexpected fallback
// is a backend's slowest bug.
void fallbackToCpu(const c10::OperatorHandle &op, torch::jit::Stack *stack) {
  {
    std::lock_guard<std::mutex> lock(fallbackMutex);
    fallbackNames.push_back(c10::toString(op.operator_name()));
  }
  at::native::cpu_fallback(op, stack);
}

// The names of the operators that fell back since the last call, in the order of their calls.
std::vector<std::string> takeFallbacks() {
  std::lock_guard<std::mutex> lock(fallbackMutex);
  return std::exchange(fallbackNames, {});
}

} // namespace

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&fallbackToCpu>());
}

TORCH_LIBRARY(demo, m) { m.def("take_fallbacks() -> str[]", &takeFallbacks); }
