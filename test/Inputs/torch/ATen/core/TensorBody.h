#pragma once
#include <array>
#include <c10/core/Types.h>
#include <tuple>

namespace at {
using namespace c10;

namespace Reduction {
enum Reduction { None, Mean, Sum };
}

class Tensor {
public:
  Tensor();
  Tensor(const Tensor &);
  Tensor &operator=(const Tensor &other) &;
  Tensor &operator=(const Tensor &other) &&; // into the tensor that a view is of
  Tensor &operator+=(const Tensor &other);
  Tensor operator[](int64_t index) const;
  bool defined() const;
  int64_t numel() const;
  template <typename T> T *data_ptr() const;

  Tensor &add_(const Tensor &other) const;
  Tensor &copy_(const Tensor &src) const;
  Tensor &t_() const;
  Tensor &requires_grad_(bool requires_grad = true) const;
  Tensor view(IntArrayRef size) const;
  Tensor t() const;
  Tensor contiguous() const;
  Tensor clone() const;
};
Tensor add(const Tensor &self, const Tensor &other);
Tensor &add_out(Tensor &out, const Tensor &self, const Tensor &other);
std::tuple<Tensor, Tensor> halves(const Tensor &self);
class OptionalTensorRef {};
class OptionalScalarRef {};
using TensorList = ArrayRef<Tensor>;
class ITensorListRef {};
class IOptTensorListRef {};
class Dimname {};
using DimnameList = c10::ArrayRef<Dimname>;
struct Generator {};
using DimVector = c10::SmallVector<int64_t, 5>;
} // namespace at
