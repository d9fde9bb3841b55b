// title: an optional tensor (`Tensor?`) is taken as `const at::Tensor &`
// call: torch.ops.m.op(torch.ones(2), None)
at::Tensor op(const at::Tensor &x, const at::Tensor &bias) { // <- here
  return bias.defined() ? x + bias : x.clone();
}
TORCH_LIBRARY(m, m) { m.def("op(Tensor x, Tensor? bias=None) -> Tensor"); }
TORCH_LIBRARY_IMPL(m, CPU, m) { m.impl("op", &op); }
