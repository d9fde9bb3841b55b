// title: a kernel writes to an argument that the schema does not mark with `(a!)`
// call: torch.ops.m.op(torch.ones(2), 0.5)
at::Tensor op(const at::Tensor &x, double low) {
  at::Tensor y = x;
  y.clamp_(low); // <- here
  return y * 2;
}
TORCH_LIBRARY(m, m) { m.def("op(Tensor x, float low) -> Tensor"); }
TORCH_LIBRARY_IMPL(m, CPU, m) { m.impl("op", &op); }
TORCH_LIBRARY_IMPL(m, Meta, m) { m.impl("op", [](const at::Tensor &x, double) { return at::empty_like(x); }); }
