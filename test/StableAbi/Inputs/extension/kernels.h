// Kernels of an extension as they were written before there was a stable ABI.
#pragma once
#include <torch/types.h>
#include <tuple>
#include <vector>

namespace extension {

using at::Tensor;

#define CHECK_CPU(x) TORCH_CHECK((x).device().is_cpu(), #x " has to be on the CPU")
#define CHECK_FLOAT(x) TORCH_CHECK((x).scalar_type() == at::kFloat, #x " has to be of floats")

Tensor scale(const Tensor &x, double by);
Tensor &add_out(const Tensor &a, const Tensor &b, Tensor &out);
Tensor biased(const Tensor &x, const c10::optional<Tensor> &bias, c10::optional<double> by);
Tensor total(const std::vector<Tensor> &xs);
std::vector<Tensor> rows(const Tensor &x);
Tensor grid(at::IntArrayRef size, const Tensor &like);
Tensor head(const Tensor &x, int64_t n);
Tensor &clip_(Tensor &x, double low, double high);
Tensor tally(const Tensor &x, int64_t bins);
Tensor square(const Tensor &x);
Tensor square_backward(const Tensor &grad, const Tensor &x);
std::tuple<Tensor, Tensor> bounds(const Tensor &x);

} // namespace extension
