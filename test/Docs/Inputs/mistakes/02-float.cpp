// title: a parameter is `float`, as in the schema
// call: torch.ops.m.op(torch.ones(2), 0.5)
at::Tensor op(const at::Tensor &x, float by) { return x * by; } // <- here
TORCH_LIBRARY(m, m) {
  m.def("op(Tensor x, float by) -> Tensor");
}
TORCH_LIBRARY_IMPL(m, CPU, m) { m.impl("op", &op); }
