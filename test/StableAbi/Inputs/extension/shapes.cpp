#include "kernels.h"

namespace extension {

// A list comes in.
Tensor total(const std::vector<Tensor> &xs) {
  TORCH_CHECK(!xs.empty(), "nothing to add");
  Tensor sum = xs[0].clone();
  for (size_t n = 1; n < xs.size(); ++n) {
    TORCH_CHECK(xs[n].sizes() == sum.sizes(), "sizes differ");
    extension::add_out(sum, xs[n], sum);
  }
  return sum;
}

// A list goes out.
std::vector<Tensor> rows(const Tensor &x) {
  TORCH_CHECK(x.dim() == 2, "two dimensions are wanted, not ", x.dim());
  std::vector<Tensor> all;
  for (int64_t i = 0; i < x.size(0); ++i)
    all.push_back(x.select(0, i).clone());
  return all;
}

// Made from nothing but options.
Tensor grid(at::IntArrayRef size, const Tensor &like) {
  Tensor out = at::empty(size, like.options().dtype(at::kLong));
  int64_t *to = out.data_ptr<int64_t>();
  for (int64_t i = 0; i < out.numel(); ++i)
    to[i] = i;
  return out;
}

// A view.
Tensor head(const Tensor &x, int64_t n) {
  TORCH_CHECK(n >= 0 && n <= x.size(0), "there are ", x.size(0));
  return x.narrow(0, 0, n);
}

// How often each number is there.
Tensor tally(const Tensor &x, int64_t bins) {
  Tensor counts = torch::zeros({bins}, x.options().dtype(torch::kInt64));
  int64_t *to = counts.data_ptr<int64_t>();
  Tensor in = x.contiguous();
  AT_DISPATCH_INTEGRAL_TYPES(in.scalar_type(), "tally", [&] {
    const scalar_t *from = in.data_ptr<scalar_t>();
    for (int64_t i = 0; i < in.numel(); ++i) {
      TORCH_CHECK(from[i] >= 0 && static_cast<int64_t>(from[i]) < bins, "no bin for it");
      ++to[from[i]];
    }
  });
  return counts;
}

// Two results.
std::tuple<Tensor, Tensor> bounds(const Tensor &x) {
  CHECK_FLOAT(x);
  TORCH_CHECK(x.numel() > 0, "nothing has no bounds");
  Tensor in = x.contiguous();
  Tensor low = at::empty({1}, x.options()), high = at::empty({1}, x.options());
  const float *from = in.data_ptr<float>();
  float a = from[0], b = from[0];
  for (int64_t i = 1; i < in.numel(); ++i) {
    a = from[i] < a ? from[i] : a;
    b = from[i] > b ? from[i] : b;
  }
  low.fill_(a);
  high.fill_(b);
  return std::make_tuple(low, high);
}

} // namespace extension
