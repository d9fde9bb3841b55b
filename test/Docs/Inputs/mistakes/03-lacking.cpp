// title: the schema has an argument that the kernel lacks
// call: torch.ops.m.op(torch.ones(2), 0.5, 2)
at::Tensor op(const at::Tensor &x, double by) { return x * by; } // <- here
TORCH_LIBRARY(m, m) { m.def("op(Tensor x, float by, int times=1) -> Tensor"); }
TORCH_LIBRARY_IMPL(m, CPU, m) { m.impl("op", &op); }
