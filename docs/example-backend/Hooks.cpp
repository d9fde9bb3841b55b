//===- Hooks.cpp - what PyTorch 2 asks of the device ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Autograd asks here before it runs a backward pass. PyTorch 1.13 has no such hooks, and for it there
// is nothing in this file.

#if __has_include(<ATen/detail/PrivateUse1HooksInterface.h>)

#include <ATen/detail/PrivateUse1HooksInterface.h>

namespace demo {

namespace {

// The first two came later than the third, so in the releases between they override nothing.
class DemoHooks final : public at::PrivateUse1HooksInterface {
public:
  bool isBuilt() const { return true; }
  bool isAvailable() const { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const { return true; }
};

const bool registered = [] {
  static DemoHooks hooks;
  at::RegisterPrivateUse1HooksInterface(&hooks);
  return true;
}();

} // namespace

} // namespace demo

#endif
