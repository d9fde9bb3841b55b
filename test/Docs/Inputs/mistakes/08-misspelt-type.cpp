// title: the name in `m.impl` is misspelled, and the kernel does not match its schema
// call: torch.ops.m.scale(torch.ones(2), 0.5)
at::Tensor scale(const at::Tensor &x, int64_t by) { return x * by; }
TORCH_LIBRARY(m, m) { m.def("scale(Tensor x, float by) -> Tensor"); }
TORCH_LIBRARY_IMPL(m, CPU, m) { m.impl("scael", &scale); } // <- here
