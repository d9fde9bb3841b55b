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
  Tensor &add_(const Tensor &other);
};
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
