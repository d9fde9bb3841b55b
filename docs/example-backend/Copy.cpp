//===- Copy.cpp - between the device and the host, and on the device ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Device.h"
#include "PrivateUse1NativeFunctions.h"

#include <ATen/native/Resize.h>

namespace demo {

// Behind 'copy_', 'to', 'clone' and every generated in-place wrapper. One of the two tensors may be
// the host's, and dtypes, strides and (by broadcasting) sizes may differ.
at::Tensor DemoNativeFunctions::_copy_from(const at::Tensor &self, const at::Tensor &dst,
                                           bool non_blocking) {
  hostView(dst).copy_(hostView(self));
  return dst;
}

// Behind every generated out wrapper and the results of the CPU fallback: 'dst' takes the sizes of
// 'self' first.
at::Tensor DemoNativeFunctions::_copy_from_and_resize(const at::Tensor &self,
                                                      const at::Tensor &dst) {
  at::native::resize_output(dst, self.sizes());
  return _copy_from(self, dst, /*non_blocking=*/false);
}

} // namespace demo
