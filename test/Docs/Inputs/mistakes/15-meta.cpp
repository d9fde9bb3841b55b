// title: a library has a Meta kernel for one operator, but not for another
// call: torch.ops.m.op(torch.ones(2))
at::Tensor op(const at::Tensor &x) { return x * 2; }
at::Tensor other(const at::Tensor &x) { return x * 3; }
TORCH_LIBRARY(m, m) {
  m.def("other(Tensor x) -> Tensor");
  m.def("op(Tensor x) -> Tensor"); // <- here
}
TORCH_LIBRARY_IMPL(m, CPU, m) { m.impl("other", &other).impl("op", &op); }
TORCH_LIBRARY_IMPL(m, Meta, m) { m.impl("other", [](const at::Tensor &x) { return at::empty_like(x); }); }
