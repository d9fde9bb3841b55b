// Functions that pybind11 offers Python, of all types that the stable ABI's boxes carry.
#include <torch/extension.h>

#include <cmath>
#include <string>
#include <vector>

namespace {

/// In namespaces and templates, as the extension's own C++ calls them, too.
template <typename T, int N> at::Tensor times(const at::Tensor &x, T by) {
  at::Tensor out = x.clone();
  for (int64_t i = 0; i < x.numel(); ++i)
    out.data_ptr<float>()[i] *= by * N;
  return out;
}

at::Tensor scale(const at::Tensor &x, float by, int times) {
  TORCH_CHECK(x.scalar_type() == at::kFloat && x.is_contiguous(), "found ", x.scalar_type());
  at::Tensor out = at::empty_like(x);
  const float *from = x.data_ptr<float>();
  float *to = out.data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i)
    to[i] = from[i] * std::pow(by, times);
  return out;
}

std::vector<at::Tensor> parts(const std::vector<at::Tensor> &xs, int64_t n) {
  std::vector<at::Tensor> out;
  for (const at::Tensor &x : xs)
    out.push_back(x.select(0, n).clone());
  return out;
}

at::Tensor biased(const at::Tensor &x, const c10::optional<at::Tensor> &bias, std::string how) {
  at::Tensor out = x.clone();
  if (how != "none" && bias.has_value())
    for (int64_t i = 0; i < x.numel(); ++i)
      out.data_ptr<float>()[i] += bias->data_ptr<float>()[how == "first" ? 0 : i];
  return out;
}

void fill(at::Tensor &x, double value) { x.fill_(value); }

std::tuple<at::Tensor, double> summed(const at::Tensor &x, std::vector<int64_t> rows, bool twice) {
  py::gil_scoped_release unlocked;
  double sum = 0;
  auto values = x.accessor<float, 2>();
  for (int64_t row : rows)
    for (int64_t i = 0; i < x.size(1); ++i)
      sum += twice ? 2 * values[row][i] : values[row][i];
  return {x.contiguous(), sum};
}

int largest(const std::vector<int64_t> &of, std::optional<int> least) {
  int64_t n = least.value_or(0);
  for (int64_t i : of)
    n = std::max(n, i);
  return n;
}

at::Tensor made(at::IntArrayRef sizes, at::ScalarType dtype, at::Device device, double eps) {
  return at::full(sizes, eps, at::TensorOptions().dtype(dtype).device(device));
}

at::Tensor &negated(at::Tensor &x) {
  x.copy_(times<double, -1>(x, 1.0));
  return x;
}

} // namespace

#define WITH_NEGATED 1

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  using namespace py::literals;
  m.doc() = "Kernels that pybind11 offers Python.";
  m.def("scale", &scale, "Times a number, several times.", py::arg("x"), py::arg("by") = 0.5, py::arg("times") = 1);
  m.def("parts", &parts, py::arg("xs"), py::arg("n") = -1);
  m.def("biased", &biased, "Plus a bias.\n\nNone is no bias.", py::arg("x"), py::arg("bias") = py::none(), py::arg("how") = "all");
  // Writes.
  m.def("fill", &fill); // and returns nothing
#if WITH_NEGATED
  m.def("negated", &negated);
#endif
  m.def("times_two", &times<double, 2>).def("times_three", &times<int64_t, 3>);
  m.def("made", &made, "sizes"_a, "dtype"_a, "device"_a, "eps"_a = 1e-5);
  m.def("summed", &summed, py::arg("x"), py::arg("rows") = std::vector<int64_t>{0, 1}, py::arg("twice") = false);
  m.def("largest", &largest, py::arg("of"), py::arg("least") = 3, py::call_guard<py::gil_scoped_release>());
}
