#include "kernels.h"
#include <algorithm>
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/headeronly/core/Dispatch_v2.h>

namespace extension {

namespace stable = torch::stable;
using torch::headeronly::ScalarType;

static bool sameSizes(const Tensor &a, const Tensor &b) {
  auto left = a.sizes(), right = b.sizes();
  return std::equal(left.begin(), left.end(), right.begin(), right.end());
}

Tensor scale(const Tensor &x, double by) {
  CHECK_CPU(x);
  CHECK_FLOAT(x);
  Tensor in = stable::contiguous(x);
  Tensor out = stable::empty_like(in);
  for (int64_t i = 0; i < in.numel(); ++i)
    out.mutable_data_ptr<float>()[i] = in.const_data_ptr<float>()[i] * static_cast<float>(by);
  return out;
}

Tensor add_out(const Tensor &a, const Tensor &b, Tensor out) {
  CHECK_FLOAT(a);
  CHECK_FLOAT(b);
  CHECK_FLOAT(out);
  STD_TORCH_CHECK(sameSizes(a, b) && sameSizes(a, out), "sizes differ");
  STD_TORCH_CHECK(out.is_contiguous(), "out has to be contiguous, and has ", out.dim(), " dimensions");
  Tensor left = stable::contiguous(a), right = stable::contiguous(b);
  for (int64_t i = 0; i < out.numel(); ++i)
    out.mutable_data_ptr<float>()[i] = left.const_data_ptr<float>()[i] + right.const_data_ptr<float>()[i];
  return out;
}

Tensor biased(const Tensor &x, const std::optional<Tensor> &bias, std::optional<double> by) {
  Tensor out = scale(x, by.value_or(1.0));
  if (!bias.has_value())
    return out;
  CHECK_FLOAT(*bias);
  STD_TORCH_CHECK(bias->dim() == 1 && out.size(-1) == bias->size(0), "one bias for each column");
  Tensor flat = stable::contiguous(*bias);
  const int64_t n = flat.numel();
  for (int64_t i = 0; i < out.numel(); ++i)
    out.mutable_data_ptr<float>()[i] += flat.const_data_ptr<float>()[i % n];
  return out;
}

Tensor clip_(Tensor x, double low, double high) {
  STD_TORCH_CHECK(x.is_contiguous(), "x has to be contiguous");
  THO_DISPATCH_V2(x.scalar_type(), "clip_", AT_WRAP([&] {
                    scalar_t *data = x.mutable_data_ptr<scalar_t>();
                    for (int64_t i = 0; i < x.numel(); ++i)
                      data[i] = std::min(std::max(data[i], static_cast<scalar_t>(low)),
                                         static_cast<scalar_t>(high));
                  }),
                  AT_FLOATING_TYPES);
  return x;
}

Tensor square(const Tensor &x) {
  CHECK_FLOAT(x);
  Tensor in = stable::contiguous(x);
  Tensor out = stable::empty_like(in);
  const float *from = in.const_data_ptr<float>();
  for (int64_t i = 0; i < in.numel(); ++i)
    out.mutable_data_ptr<float>()[i] = from[i] * from[i];
  return out;
}

Tensor square_backward(const Tensor &grad, const Tensor &x) {
  CHECK_FLOAT(grad);
  Tensor g = stable::contiguous(grad), in = stable::contiguous(x);
  Tensor out = stable::empty_like(in);
  for (int64_t i = 0; i < in.numel(); ++i)
    out.mutable_data_ptr<float>()[i] = 2 * g.const_data_ptr<float>()[i] * in.const_data_ptr<float>()[i];
  return out;
}

Tensor total(const std::vector<Tensor> &xs) {
  STD_TORCH_CHECK(!xs.empty(), "nothing to add");
  Tensor sum = stable::clone(xs[0]);
  for (size_t n = 1; n < xs.size(); ++n) {
    STD_TORCH_CHECK(sameSizes(xs[n], sum), "sizes differ");
    add_out(sum, xs[n], sum);
  }
  return sum;
}

std::vector<Tensor> rows(const Tensor &x) {
  STD_TORCH_CHECK(x.dim() == 2, "two dimensions are wanted, not ", x.dim());
  std::vector<Tensor> all;
  for (int64_t i = 0; i < x.size(0); ++i)
    all.push_back(stable::clone(stable::select(x, 0, i)));
  return all;
}

Tensor grid(const std::vector<int64_t> &size, const Tensor &like) {
  Tensor out = stable::empty(size, ScalarType::Long, like.layout(), like.device());
  for (int64_t i = 0; i < out.numel(); ++i)
    out.mutable_data_ptr<int64_t>()[i] = i;
  return out;
}

Tensor head(Tensor x, int64_t n) {
  STD_TORCH_CHECK(n >= 0 && n <= x.size(0), "there are ", x.size(0));
  return stable::narrow(x, 0, 0, n);
}

Tensor tally(const Tensor &x, int64_t bins) {
  Tensor counts = stable::new_zeros(x, {bins}, ScalarType::Long);
  int64_t *to = counts.mutable_data_ptr<int64_t>();
  Tensor in = stable::contiguous(x);
  THO_DISPATCH_V2(in.scalar_type(), "tally", AT_WRAP([&] {
                    const scalar_t *from = in.const_data_ptr<scalar_t>();
                    for (int64_t i = 0; i < in.numel(); ++i) {
                      STD_TORCH_CHECK(from[i] >= 0 && static_cast<int64_t>(from[i]) < bins, "no bin for it");
                      ++to[from[i]];
                    }
                  }),
                  AT_INTEGRAL_TYPES);
  return counts;
}

std::tuple<Tensor, Tensor> bounds(const Tensor &x) {
  CHECK_FLOAT(x);
  STD_TORCH_CHECK(x.numel() > 0, "nothing has no bounds");
  Tensor in = stable::contiguous(x);
  const float *from = in.const_data_ptr<float>();
  auto [a, b] = std::minmax_element(from, from + in.numel());
  Tensor low = stable::new_empty(x, {1}), high = stable::new_empty(x, {1});
  stable::fill_(low, *a);
  stable::fill_(high, *b);
  return {low, high};
}

} // namespace extension

STABLE_TORCH_LIBRARY(extension, m) {
  m.def("scale(Tensor x, float by) -> Tensor");
  m.def("add_out(Tensor a, Tensor b, *, Tensor(a!) out) -> Tensor(a!)");
  m.def("biased(Tensor x, Tensor? bias=None, float? by=None) -> Tensor");
  m.def("total(Tensor[] xs) -> Tensor");
  m.def("rows(Tensor x) -> Tensor[]");
  m.def("grid(int[] size, *, Tensor like) -> Tensor");
  m.def("head(Tensor(a) x, int n) -> Tensor(a)");
  m.def("clip_(Tensor(a!) x, float low, float high) -> Tensor(a!)");
  m.def("tally(Tensor x, int bins) -> Tensor");
  m.def("square(Tensor x) -> Tensor");
  m.def("square_backward(Tensor grad, Tensor x) -> Tensor");
  m.def("bounds(Tensor x) -> (Tensor, Tensor)");
}

STABLE_TORCH_LIBRARY_IMPL(extension, CPU, m) {
  m.impl("scale", TORCH_BOX(&extension::scale));
  m.impl("add_out", TORCH_BOX(&extension::add_out));
  m.impl("biased", TORCH_BOX(&extension::biased));
  m.impl("total", TORCH_BOX(&extension::total));
  m.impl("rows", TORCH_BOX(&extension::rows));
  m.impl("grid", TORCH_BOX(&extension::grid));
  m.impl("head", TORCH_BOX(&extension::head));
  m.impl("clip_", TORCH_BOX(&extension::clip_));
  m.impl("tally", TORCH_BOX(&extension::tally));
  m.impl("square", TORCH_BOX(&extension::square));
  m.impl("square_backward", TORCH_BOX(&extension::square_backward));
  m.impl("bounds", TORCH_BOX(&extension::bounds));
}
