//===- Device.h - what the kernels need of the demo device ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The demo device keeps its memory in the host's RAM, so a driver's jobs shrink to these functions.

#pragma once

#include <ATen/ATen.h>

namespace demo {

/// The allocator that every tensor of the device uses. Lives as long as the process.
c10::Allocator *allocator();

/// The same memory, sizes and strides as a CPU tensor; a CPU tensor is returned as it is.
/// This stands for a driver's copy engine: only Copy.cpp may use it, kernels compute by themselves.
at::Tensor hostView(const at::Tensor &tensor);

} // namespace demo
