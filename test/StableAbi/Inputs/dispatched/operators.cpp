// Operators of ATen's that the stable ABI has no functions for.
#include <torch/all.h>
#include <torch/library.h>

namespace {

at::Tensor ratio(const at::Tensor &x, const at::Tensor &y) { return at::mul(x, y).cumsum(0) / y; }

std::tuple<at::Tensor, at::Tensor> best(const at::Tensor &x, int64_t n) {
  auto [values, indices] = at::topk(x, n, -1, false);
  return {values, indices};
}

at::Tensor arranged(const at::Tensor &x, at::IntArrayRef dims) {
  return at::cat({x.flip(dims), x.flip(0), x.logsumexp({0, 1}, true).expand({2, 3})}, 1);
}

at::Tensor middle(const at::Tensor &x, c10::optional<at::ScalarType> dtype) {
  return x.mean({0}, true, dtype) / x.sum(1).max();
}

at::Tensor &weighted_(at::Tensor &x, const at::Tensor &by) {
  x.mul_(by);
  x.clamp_(by);
  return x;
}

double largest(const at::Tensor &x) { return x.max().item<double>() + x.argmax().item<int64_t>(); }

std::vector<at::Tensor> parts(const at::Tensor &x) { return at::split(x, 2, 1); }

} // namespace

TORCH_LIBRARY(dispatched, m) {
  m.def("ratio(Tensor x, Tensor y) -> Tensor");
  m.def("best(Tensor x, int n) -> (Tensor, Tensor)");
  m.def("arranged(Tensor x, int[] dims) -> Tensor");
  m.def("middle(Tensor x, ScalarType? dtype=None) -> Tensor");
  m.def("weighted_(Tensor(a!) x, Tensor by) -> Tensor(a!)");
  m.def("largest(Tensor x) -> float");
  m.def("parts(Tensor x) -> Tensor[]");
}

TORCH_LIBRARY_IMPL(dispatched, CPU, m) {
  m.impl("ratio", &ratio);
  m.impl("best", &best);
  m.impl("arranged", &arranged);
  m.impl("middle", &middle);
  m.impl("weighted_", &weighted_);
  m.impl("largest", &largest);
  m.impl("parts", &parts);
}
