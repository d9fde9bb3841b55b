// title: an operator fills an output argument and returns nothing, and its schema has no `(a!)`
// call: torch.ops.m.op(torch.ones(2), torch.ones(2))
void op(at::Tensor out, at::Tensor x) { out.copy_(x * 2); } // <- here
TORCH_LIBRARY(m, m) { m.def("op(Tensor out, Tensor x) -> ()"); }
TORCH_LIBRARY_IMPL(m, CPU, m) { m.impl("op", &op); }
TORCH_LIBRARY_IMPL(m, Meta, m) { m.impl("op", [](at::Tensor, at::Tensor) {}); }
