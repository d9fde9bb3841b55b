// title: a parameter is `int`, as in the schema
// call: torch.ops.m.op(torch.ones(2), 3)
at::Tensor op(const at::Tensor &x, int n) { return x * n; } // <- here
TORCH_LIBRARY(m, m) { m.def("op(Tensor x, int n) -> Tensor", &op); }
