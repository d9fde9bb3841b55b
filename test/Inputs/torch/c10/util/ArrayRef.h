#pragma once
#include <c10/util/Optional.h>
#include <vector>

namespace c10 {
template <typename T> class ArrayRef final {
public:
  ArrayRef();
  ArrayRef(const T &);
  ArrayRef(std::initializer_list<T>);
  const T *begin() const;
  const T *end() const;
};
using IntArrayRef = ArrayRef<int64_t>;
template <typename T> class OptionalArrayRef final {
public:
  OptionalArrayRef();
  OptionalArrayRef(nullopt_t);
  OptionalArrayRef(ArrayRef<T>);
};
using OptionalIntArrayRef = OptionalArrayRef<int64_t>;
template <typename T> class List final {};
template <typename T, unsigned N> class SmallVector {};
} // namespace c10
