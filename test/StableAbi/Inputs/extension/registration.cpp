#include "kernels.h"
#include <torch/library.h>

TORCH_LIBRARY(extension, m) {
  m.def("scale(Tensor x, float by) -> Tensor");
  m.def("add_out(Tensor a, Tensor b, *, Tensor(a!) out) -> Tensor(a!)");
  m.def("biased(Tensor x, Tensor? bias=None, float? by=None) -> Tensor");
  m.def("total(Tensor[] xs) -> Tensor");
  m.def("rows(Tensor x) -> Tensor[]");
  m.def("grid(int[] size, *, Tensor like) -> Tensor");
  m.def("head(Tensor(a) x, int n) -> Tensor(a)");
  m.def("clip_(Tensor(a!) x, float low, float high) -> Tensor(a!)");
  m.def("tally(Tensor x, int bins) -> Tensor");
  m.def("square(Tensor x) -> Tensor");
  m.def("square_backward(Tensor grad, Tensor x) -> Tensor");
  m.def("bounds(Tensor x) -> (Tensor, Tensor)");
}

TORCH_LIBRARY_IMPL(extension, CPU, m) {
  m.impl("scale", &extension::scale);
  m.impl("add_out", &extension::add_out);
  m.impl("biased", &extension::biased);
  m.impl("total", &extension::total);
  m.impl("rows", &extension::rows);
  m.impl("grid", &extension::grid);
  m.impl("head", &extension::head);
  m.impl("clip_", &extension::clip_);
  m.impl("tally", &extension::tally);
  m.impl("square", &extension::square);
  m.impl("square_backward", &extension::square_backward);
  m.impl("bounds", &extension::bounds);
}
