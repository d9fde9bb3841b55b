#include "kernels.h"
#include <algorithm>

namespace extension {

// A new tensor, of floats.
Tensor scale(const Tensor &x, double by) {
  CHECK_CPU(x);
  CHECK_FLOAT(x);
  Tensor in = x.contiguous();
  Tensor out = at::empty_like(in);
  const float *from = in.data_ptr<float>();
  float *to = out.data_ptr<float>();
  for (int64_t i = 0; i < in.numel(); ++i)
    to[i] = from[i] * static_cast<float>(by);
  return out;
}

// Writes into what the caller has.
Tensor &add_out(const Tensor &a, const Tensor &b, Tensor &out) {
  CHECK_FLOAT(a);
  CHECK_FLOAT(b);
  CHECK_FLOAT(out);
  TORCH_CHECK(a.sizes() == b.sizes() && a.sizes() == out.sizes(), "sizes differ");
  TORCH_CHECK(out.is_contiguous(), "out has to be contiguous, and has ", out.dim(), " dimensions");
  Tensor left = a.contiguous(), right = b.contiguous();
  auto *to = out.data_ptr<float>();
  for (int64_t i = 0; i < out.numel(); ++i)
    to[i] = left.data_ptr<float>()[i] + right.data_ptr<float>()[i];
  return out;
}

Tensor biased(const Tensor &x, const c10::optional<Tensor> &bias, c10::optional<double> by) {
  Tensor out = scale(x, by.has_value() ? *by : 1.0);
  if (!bias.has_value())
    return out;
  CHECK_FLOAT(*bias);
  TORCH_CHECK(bias->dim() == 1 && out.size(-1) == bias->size(0), "one bias for each column");
  Tensor flat = bias->contiguous();
  const float *add = flat.data_ptr<float>();
  float *to = out.data_ptr<float>();
  const int64_t n = flat.numel();
  for (int64_t i = 0; i < out.numel(); ++i)
    to[i] += add[i % n];
  return out;
}

// Of any floating type.
Tensor &clip_(Tensor &x, double low, double high) {
  TORCH_CHECK(x.is_contiguous(), "x has to be contiguous");
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "clip_", [&] {
    scalar_t *data = x.data_ptr<scalar_t>();
    for (int64_t i = 0; i < x.numel(); ++i)
      data[i] = std::min(std::max(data[i], static_cast<scalar_t>(low)), static_cast<scalar_t>(high));
  });
  return x;
}

Tensor square(const Tensor &x) {
  CHECK_FLOAT(x);
  Tensor in = x.contiguous();
  Tensor out = torch::empty_like(in);
  const float *from = in.data_ptr<float>();
  float *to = out.data_ptr<float>();
  for (int64_t i = 0; i < in.numel(); ++i)
    to[i] = from[i] * from[i];
  return out;
}

Tensor square_backward(const Tensor &grad, const Tensor &x) {
  CHECK_FLOAT(grad);
  Tensor g = grad.contiguous(), in = x.contiguous();
  Tensor out = torch::empty_like(in);
  for (int64_t i = 0; i < in.numel(); ++i)
    out.data_ptr<float>()[i] = 2 * g.data_ptr<float>()[i] * in.data_ptr<float>()[i];
  return out;
}

} // namespace extension
