// title: a default value in the schema does not fit the argument's type
// call: torch.ops.m.op(torch.ones(2))
at::Tensor op(const at::Tensor &x, int64_t n) { return x * n; }
TORCH_LIBRARY(m, m) { m.def("op(Tensor x, int n=one) -> Tensor", &op); } // <- here
