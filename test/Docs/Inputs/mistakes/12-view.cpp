// title: a kernel returns a view of an argument that the schema does not mark with `(a)`
// call: torch.ops.m.op(torch.ones(2, 3))
at::Tensor op(const at::Tensor &x) { return x.t(); } // <- here
TORCH_LIBRARY(m, m) { m.def("op(Tensor x) -> Tensor"); }
TORCH_LIBRARY_IMPL(m, CPU, m) { m.impl("op", &op); }
TORCH_LIBRARY_IMPL(m, Meta, m) { m.impl("op", &op); }
