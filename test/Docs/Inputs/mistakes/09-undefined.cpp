// title: a kernel is declared and registered, but defined with a different signature
// call: torch.ops.m.op(torch.ones(2), 0.5)
at::Tensor op(const at::Tensor &x, double by);
TORCH_LIBRARY(m, m) { m.def("op(Tensor x, float by) -> Tensor", &op); } // <- here
at::Tensor op(const at::Tensor &x, float by) { return x * by; } // <- here
