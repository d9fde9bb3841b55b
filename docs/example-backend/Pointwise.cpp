//===- Pointwise.cpp - one element at a time ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PrivateUse1NativeFunctions.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <ATen/ExpandUtils.h>
#include <ATen/native/BinaryOps.h>
#include <ATen/native/Resize.h>

namespace demo {

namespace {

/// Two inputs brought to one dtype and shape, contiguous and on the device, and a fresh output like
/// them. An input may be a CPU scalar: that is what 2 becomes in 'tensor + 2'.
struct Binary {
  at::Tensor a, b, out;

  Binary(const at::Tensor &self, const at::Tensor &other) {
    const at::ScalarType dtype = at::result_type(self, other);
    const at::Device device = self.is_cpu() ? other.device() : self.device();
    const std::vector<int64_t> sizes = at::infer_size(self.sizes(), other.sizes());
    a = self.to(device, dtype).expand(sizes).contiguous();
    b = other.to(device, dtype).expand(sizes).contiguous();
    out = at::empty(sizes, a.options());
  }

  /// Sets each element of 'out' to f(element of 'a', element of 'b').
  template <typename T, typename Function> void each(Function f) {
    const T *x = a.data_ptr<T>();
    const T *y = b.data_ptr<T>();
    T *z = out.data_ptr<T>();
    for (int64_t i = 0, n = out.numel(); i < n; ++i)
      z[i] = f(x[i], y[i]);
  }
};

} // namespace

at::Tensor DemoNativeFunctions::add(const at::Tensor &self, const at::Tensor &other,
                                    const at::Scalar &alpha) {
  Binary io(self, other);
  at::native::alpha_check(io.out.scalar_type(), alpha);
  AT_DISPATCH_ALL_TYPES_AND(at::kBool, io.out.scalar_type(), "demo_add", [&] {
    const scalar_t factor = alpha.to<scalar_t>();
    io.each<scalar_t>([=](scalar_t a, scalar_t b) -> scalar_t { return a + factor * b; });
  });
  return io.out;
}

// An out primary is handed a result to fill, which the caller may have given any size, dtype and
// strides.
at::Tensor &DemoNativeFunctions::mul_out(const at::Tensor &self, const at::Tensor &other,
                                         at::Tensor &out) {
  Binary io(self, other);
  TORCH_CHECK(at::canCast(io.out.scalar_type(), out.scalar_type()), "mul: a ", io.out.scalar_type(),
              " result does not fit into a ", out.scalar_type(), " tensor");
  AT_DISPATCH_ALL_TYPES_AND(at::kBool, io.out.scalar_type(), "demo_mul", [&] {
    io.each<scalar_t>([](scalar_t a, scalar_t b) -> scalar_t { return a * b; });
  });
  at::native::resize_output(out, io.out.sizes());
  return out.copy_(io.out);
}

at::Tensor DemoNativeFunctions::relu(const at::Tensor &self) {
  const at::Tensor in = self.contiguous();
  at::Tensor out = at::empty(in.sizes(), in.options());
  AT_DISPATCH_ALL_TYPES(in.scalar_type(), "demo_relu", [&] {
    const scalar_t *from = in.data_ptr<scalar_t>();
    scalar_t *to = out.data_ptr<scalar_t>();
    for (int64_t i = 0, n = in.numel(); i < n; ++i)
      to[i] = from[i] < 0 ? scalar_t(0) : from[i];
  });
  return out;
}

// PyTorch's derivative of 'relu' calls this one.
at::Tensor DemoNativeFunctions::threshold_backward(const at::Tensor &grad_output,
                                                   const at::Tensor &self,
                                                   const at::Scalar &threshold) {
  Binary io(grad_output, self);
  AT_DISPATCH_ALL_TYPES(io.out.scalar_type(), "demo_threshold_backward", [&] {
    const scalar_t limit = threshold.to<scalar_t>();
    io.each<scalar_t>([=](scalar_t grad, scalar_t x) { return x <= limit ? scalar_t(0) : grad; });
  });
  return io.out;
}

at::Tensor &DemoNativeFunctions::fill_(at::Tensor &self, const at::Scalar &value) {
  // Filled apart and copied where the elements do not lie side by side.
  at::Tensor target = self.is_contiguous() ? self : at::empty(self.sizes(), self.options());
  AT_DISPATCH_ALL_TYPES_AND(at::kBool, self.scalar_type(), "demo_fill", [&] {
    std::fill_n(target.data_ptr<scalar_t>(), target.numel(), value.to<scalar_t>());
  });
  if (!target.is_same(self))
    self.copy_(target);
  return self;
}

} // namespace demo
