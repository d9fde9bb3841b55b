//===- Views.cpp - the same data under other sizes and strides ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PyTorch's own implementations work on the tensor's description alone, so any device can use them.
// They are not registered for PrivateUse1 by themselves, and the CPU fallback cannot serve a view:
// it would return a copy.

#include "PrivateUse1NativeFunctions.h"

#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/view_native.h>

namespace demo {

at::Tensor DemoNativeFunctions::as_strided(const at::Tensor &self, at::IntArrayRef size,
                                           at::IntArrayRef stride,
                                           c10::optional<int64_t> storage_offset) {
  return at::native::as_strided_tensorimpl(self, size, stride, storage_offset);
}

// demo.yaml lists 'view' under 'symint': the kernel gets the sizes before they are known to be
// plain numbers.
at::Tensor DemoNativeFunctions::view_symint(const at::Tensor &self, c10::SymIntArrayRef size) {
  const auto sizes = c10::asIntArrayRefSlowOpt(size);
  TORCH_CHECK(sizes.has_value(), "the demo device needs sizes that are known");
  return at::native::view(self, *sizes);
}

at::Tensor DemoNativeFunctions::_reshape_alias(const at::Tensor &self, at::IntArrayRef size,
                                               at::IntArrayRef stride) {
  return at::native::_reshape_alias(self, size, stride);
}

} // namespace demo
