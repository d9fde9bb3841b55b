// title: a typo in the name in `m.impl`
// call: torch.ops.m.scale(torch.ones(2), 0.5)
at::Tensor scale(const at::Tensor &x, double by) { return x * by; }
TORCH_LIBRARY(m, m) { m.def("scale(Tensor x, float by) -> Tensor"); }
TORCH_LIBRARY_IMPL(m, CPU, m) { m.impl("scael", &scale); } // <- here
