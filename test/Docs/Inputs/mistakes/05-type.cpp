// title: the schema says `double` instead of `float`
// call: torch.ops.m.op(torch.ones(2), 0.5)
at::Tensor op(const at::Tensor &x, double by) { return x * by; } // <- here
TORCH_LIBRARY(m, m) { m.def("op(Tensor x, double by) -> Tensor", &op); } // <- here
