// Operators that write to their arguments, or return them or views of them, in every way that opsig follows; and
// the same with something in between that makes it right. judge_effects.py runs each of them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <cstring>
#include <torch/library.h>

using at::Tensor;

namespace {

// Written.
Tensor add_one(const Tensor &x) { return x.add_(1).clone(); }
void fill(const Tensor &x, double by) { x.fill_(by); }
Tensor out_call(const Tensor &x, const Tensor &y) {
  Tensor to = y;
  at::add_out(to, x, x);
  return x.clone();
}
void data(const Tensor &x) {
  float *p = x.data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i)
    p[i] = float(i) + 7;
}
void data_offset(const Tensor &x) {
  auto *p = static_cast<float *>(x.data_ptr()) + 1;
  *p -= 3;
}
void accessor(const Tensor &x) {
  auto a = x.accessor<float, 2>();
  for (int64_t i = 0; i < a.size(0); ++i)
    for (int64_t j = 0; j < a.size(1); ++j)
      a[i][j] += 1;
}
void parallel(const Tensor &x) {
  float *p = x.data_ptr<float>();
  at::parallel_for(0, x.numel(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      p[i] *= 3;
  });
}
void dispatched(const Tensor &x) {
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "dispatched", [&] {
    auto *p = x.data_ptr<scalar_t>();
    p[0] = scalar_t(42);
  });
}
void through_view(const Tensor &x) { x.select(0, 0).mul_(2); }
void through_views(const Tensor &x) {
  Tensor v = x.t().unsqueeze(0);
  v = v.narrow(1, 0, 2);
  v.zero_();
}
void subscript(const Tensor &x) { x[0] = at::ones({4}); }
void compound(Tensor x) { x += 1; }
void in_helper(const Tensor &x) { fill(x, 9); }
void memory(const Tensor &x) { std::memset(x.data_ptr(), 0, 4); }
void lists(at::TensorList xs) {
  for (const Tensor &x : xs)
    x.add_(1);
}
void list_element(std::vector<Tensor> xs) { xs[1].neg_(); }
void maybe(const c10::optional<Tensor> &x) {
  if (x.has_value())
    x->mul_(5);
}
void contiguous(const Tensor &x) { x.contiguous().add_(1); }
void on_one_way(const Tensor &x, bool inplace) {
  Tensor y = inplace ? x : x.clone();
  y.add_(1);
}
void in_a_loop(const Tensor &x, int64_t n) {
  Tensor v = x;
  for (int64_t i = 0; i < n; ++i)
    v = v.t();
  v.add_(1);
}

// Returned.
Tensor same(const Tensor &x) { return x; }
Tensor view(const Tensor &x) { return x.unsqueeze(0); }
Tensor early(const Tensor &x, bool copy) {
  if (!copy)
    return x;
  return x.clone();
}
Tensor reshaped(const Tensor &x) { return x.reshape({2, 8}); }
std::tuple<Tensor, Tensor> second(const Tensor &x, const Tensor &y) { return {x.clone(), y.t()}; }
std::tuple<Tensor, Tensor> both(const Tensor &x) { return {x.clone(), x.narrow(0, 0, 2)}; }
Tensor half(const Tensor &x) { return std::get<1>(both(x)); }
Tensor other_half(const Tensor &x) { return std::get<0>(both(x)); }
std::vector<Tensor> rows(const Tensor &x) { return x.unbind(0); }
Tensor made(const Tensor &x, const Tensor &y) { return at::where(x > y, x, y); }
Tensor of_list(at::TensorList xs) { return xs[0]; }
Tensor in_function(const Tensor &x) { return view(x); }
Tensor in_place(Tensor x) { return x.add_(1); }

// Neither.
Tensor copies(const Tensor &x) {
  Tensor y = x.clone();
  y.add_(1);
  y[0] = y[1];
  return y;
}
void reassigned(Tensor x) {
  x = x.clone();
  x.zero_();
}
Tensor reads(const Tensor &x) {
  Tensor y = at::empty_like(x, at::MemoryFormat::Contiguous);
  const float *p = x.data_ptr<float>();
  float *q = y.data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i)
    q[i] = p[i] + 1;
  return y;
}
void shape_of_view(const Tensor &x) {
  Tensor v = x.detach();
  v.t_();
  v.requires_grad_(true);
}
Tensor arithmetic(const Tensor &x, const Tensor &y) { return (x + y) * 2 - y.t().contiguous().clone(); }

// As marked.
Tensor &marked(Tensor &x) { return x.add_(1); }
Tensor marked_view(const Tensor &x) { return x.t(); }
Tensor &marked_out(const Tensor &x, Tensor &out) { return at::neg_out(out, x); }
Tensor never(const Tensor &x, const Tensor &y) { return x + y; }

} // namespace

TORCH_LIBRARY(judge, m) {
  m.def("add_one(Tensor x) -> Tensor", add_one);
  m.def("fill(Tensor x, float by) -> ()", fill);
  m.def("out_call(Tensor x, Tensor y) -> Tensor", out_call);
  m.def("data(Tensor x) -> ()", data);
  m.def("data_offset(Tensor x) -> ()", data_offset);
  m.def("accessor(Tensor x) -> ()", accessor);
  m.def("parallel(Tensor x) -> ()", parallel);
  m.def("dispatched(Tensor x) -> ()", dispatched);
  m.def("through_view(Tensor x) -> ()", through_view);
  m.def("through_views(Tensor x) -> ()", through_views);
  m.def("subscript(Tensor x) -> ()", subscript);
  m.def("compound(Tensor x) -> ()", compound);
  m.def("in_helper(Tensor x) -> ()", in_helper);
  m.def("memory(Tensor x) -> ()", memory);
  m.def("lists(Tensor[] xs) -> ()", lists);
  m.def("list_element(Tensor[] xs) -> ()", list_element);
  m.def("maybe(Tensor? x) -> ()", maybe);
  m.def("contiguous(Tensor x) -> ()", contiguous);
  m.def("on_one_way(Tensor x, bool inplace) -> ()", on_one_way);
  m.def("in_a_loop(Tensor x, int n) -> ()", in_a_loop);
  m.def("in_lambda(Tensor x) -> ()", [](const Tensor &x) { x.exp_(); });
  m.def("same(Tensor x) -> Tensor", same);
  m.def("view(Tensor x) -> Tensor", view);
  m.def("early(Tensor x, bool copy) -> Tensor", early);
  m.def("reshaped(Tensor x) -> Tensor", reshaped);
  m.def("second(Tensor x, Tensor y) -> (Tensor, Tensor)", second);
  m.def("half(Tensor x) -> Tensor", half);
  m.def("other_half(Tensor x) -> Tensor", other_half);
  m.def("rows(Tensor x) -> Tensor[]", rows);
  m.def("made(Tensor x, Tensor y) -> Tensor", made);
  m.def("of_list(Tensor[] xs) -> Tensor", of_list);
  m.def("in_function(Tensor x) -> Tensor", in_function);
  m.def("in_place(Tensor x) -> Tensor", in_place);
  m.def("copies(Tensor x) -> Tensor", copies);
  m.def("reassigned(Tensor x) -> ()", reassigned);
  m.def("reads(Tensor x) -> Tensor", reads);
  m.def("shape_of_view(Tensor x) -> ()", shape_of_view);
  m.def("arithmetic(Tensor x, Tensor y) -> Tensor", arithmetic);
  m.def("marked(Tensor(a!) x) -> Tensor(a!)", marked);
  m.def("marked_view(Tensor(a) x) -> Tensor(a)", marked_view);
  m.def("marked_out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", marked_out);
  m.def("never(Tensor x, Tensor(a!) y) -> Tensor", never);
}
