//===- Reductions.cpp - kernels that sum and search -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PrivateUse1NativeFunctions.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <ATen/WrapDimUtils.h>

namespace demo {

at::Tensor DemoNativeFunctions::mm(const at::Tensor &self, const at::Tensor &mat2) {
  TORCH_CHECK(self.dim() == 2 && mat2.dim() == 2 && self.size(1) == mat2.size(0), "mm: sizes ",
              self.sizes(), " and ", mat2.sizes(), " do not fit");
  TORCH_CHECK(self.scalar_type() == mat2.scalar_type(), "mm: one dtype expected, got ",
              self.scalar_type(), " and ", mat2.scalar_type());
  const at::Tensor left = self.contiguous();
  const at::Tensor right = mat2.contiguous();
  const int64_t rows = left.size(0), inner = left.size(1), columns = right.size(1);
  at::Tensor out = at::empty({rows, columns}, left.options()).fill_(0);
  AT_DISPATCH_ALL_TYPES(out.scalar_type(), "demo_mm", [&] {
    const scalar_t *a = left.data_ptr<scalar_t>();
    const scalar_t *b = right.data_ptr<scalar_t>();
    scalar_t *c = out.data_ptr<scalar_t>();
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t k = 0; k < inner; ++k)
        for (int64_t j = 0; j < columns; ++j)
          c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
  });
  return out;
}

// Two results: the tuple contains the values, then the indices where they were first found.
std::tuple<at::Tensor, at::Tensor> DemoNativeFunctions::max(const at::Tensor &self, int64_t dim,
                                                            bool keepdim) {
  const int64_t searched = at::maybe_wrap_dim(dim, self.dim());
  // A scalar is searched as a row of one; the searched dimension goes last, where its elements are
  // neighbours.
  const at::Tensor rows =
      (self.dim() ? self.movedim(searched, -1) : self.unsqueeze(0)).contiguous();
  const int64_t length = rows.size(-1);
  TORCH_CHECK_INDEX(length > 0, "max: dimension ", searched, " has no elements");

  at::Tensor values = at::empty(rows.sizes().slice(0, rows.dim() - 1), rows.options());
  at::Tensor indices = at::empty(values.sizes(), rows.options().dtype(at::kLong));
  AT_DISPATCH_ALL_TYPES_AND(at::kBool, rows.scalar_type(), "demo_max", [&] {
    const scalar_t *row = rows.data_ptr<scalar_t>();
    for (int64_t i = 0, n = values.numel(); i < n; ++i, row += length) {
      int64_t best = 0;
      // A NaN is the greatest of all: the first one ends the search.
      for (int64_t j = 1; j < length && row[best] == row[best]; ++j)
        if (!(row[j] <= row[best]))
          best = j;
      values.data_ptr<scalar_t>()[i] = row[best];
      indices.data_ptr<int64_t>()[i] = best;
    }
  });
  if (keepdim && self.dim())
    return {values.unsqueeze(searched), indices.unsqueeze(searched)};
  return {values, indices};
}

} // namespace demo
