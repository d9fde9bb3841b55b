// title: an operator is defined twice
// call: torch.ops.m.op(torch.ones(2))
at::Tensor op(const at::Tensor &x) { return x * 2; }
TORCH_LIBRARY(m, m) { m.def("op(Tensor x) -> Tensor", &op); }
TORCH_LIBRARY_FRAGMENT(m, m) { m.def("op(Tensor x) -> Tensor"); } // <- here
