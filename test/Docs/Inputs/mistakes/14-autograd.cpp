// title: an autograd kernel is registered for CPU
// call: torch.ops.m.op(torch.ones(2, requires_grad=True))
struct Twice : torch::autograd::Function<Twice> {
  static at::Tensor forward(torch::autograd::AutogradContext *, const at::Tensor &x) { return x * 2; }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *,
                                                 torch::autograd::variable_list grads) {
    return {grads[0] * 2};
  }
};
at::Tensor op(const at::Tensor &x) { return Twice::apply(x); } // <- here
TORCH_LIBRARY(m, m) { m.def("op(Tensor x) -> Tensor"); }
TORCH_LIBRARY_IMPL(m, CPU, m) { m.impl("op", &op); } // <- here
TORCH_LIBRARY_IMPL(m, Meta, m) { m.impl("op", [](const at::Tensor &x) { return at::empty_like(x); }); }
