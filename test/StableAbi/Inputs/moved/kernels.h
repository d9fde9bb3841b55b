// The same kernels, moved to the stable ABI by hand.
#pragma once
#include <optional>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/util/Exception.h>
#include <tuple>
#include <vector>

namespace extension {

using torch::stable::Tensor;

#define CHECK_CPU(x) STD_TORCH_CHECK((x).is_cpu(), #x " has to be on the CPU")
#define CHECK_FLOAT(x)                                                                             \
  STD_TORCH_CHECK((x).scalar_type() == torch::headeronly::ScalarType::Float,                       \
                  #x " has to be of floats")

Tensor scale(const Tensor &x, double by);
Tensor add_out(const Tensor &a, const Tensor &b, Tensor out);
Tensor biased(const Tensor &x, const std::optional<Tensor> &bias, std::optional<double> by);
Tensor total(const std::vector<Tensor> &xs);
std::vector<Tensor> rows(const Tensor &x);
Tensor grid(const std::vector<int64_t> &size, const Tensor &like);
Tensor head(Tensor x, int64_t n);
Tensor clip_(Tensor x, double low, double high);
Tensor tally(const Tensor &x, int64_t bins);
Tensor square(const Tensor &x);
Tensor square_backward(const Tensor &grad, const Tensor &x);
std::tuple<Tensor, Tensor> bounds(const Tensor &x);

} // namespace extension
