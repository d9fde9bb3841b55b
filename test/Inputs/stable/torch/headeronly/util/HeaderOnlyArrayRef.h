#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>
namespace c10 {
template <typename T> class HeaderOnlyArrayRef {
public:
  HeaderOnlyArrayRef();
  HeaderOnlyArrayRef(const T *data, size_t length);
  HeaderOnlyArrayRef(const std::vector<T> &values);
  HeaderOnlyArrayRef(const std::initializer_list<T> &values);
  const T *data() const;
  size_t size() const;
  const T &operator[](size_t index) const;
  std::vector<T> vec() const;
  const T *begin() const;
  const T *end() const;
};
using IntHeaderOnlyArrayRef = HeaderOnlyArrayRef<int64_t>;
} // namespace c10
namespace torch::headeronly {
using c10::HeaderOnlyArrayRef;
using c10::IntHeaderOnlyArrayRef;
} // namespace torch::headeronly
