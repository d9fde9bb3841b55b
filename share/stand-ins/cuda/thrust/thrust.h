//===- thrust.h - algorithms, iterators and containers, as far as declarations name them ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_THRUST_THRUST_H
#define OPSIG_STANDIN_CUDA_THRUST_THRUST_H

#include "complex.h"
#include "pair.h"
#include <cstddef>
#include <iterator>
#include <vector>

namespace thrust {
// What a project's own types can be given to has a body, as in cub.cuh.
template <typename F, typename I, typename R = void> class transform_iterator {
public:
  typedef std::random_access_iterator_tag iterator_category;
  typedef std::ptrdiff_t difference_type;
  typedef R value_type, reference;
  typedef R *pointer;
  __host__ __device__ transform_iterator(I, F) {}
};
template <typename T, typename... More> class counting_iterator {
public:
  typedef std::random_access_iterator_tag iterator_category;
  typedef std::ptrdiff_t difference_type;
  typedef T value_type, reference;
  typedef T *pointer;
  __host__ __device__ explicit counting_iterator(T) {}
};
template <typename T, typename... More> class constant_iterator {
public:
  typedef std::random_access_iterator_tag iterator_category;
  typedef std::ptrdiff_t difference_type;
  typedef T value_type, reference;
  typedef T *pointer;
  __host__ __device__ explicit constant_iterator(T) {}
};
template <typename... More> class discard_iterator {};
template <typename Tuple> class zip_iterator {};
template <typename I> class reverse_iterator {};
template <typename I, typename P> class permutation_iterator {};
template <typename T> class device_ptr {
public:
  typedef T value_type;
  typedef std::random_access_iterator_tag iterator_category;
  typedef std::ptrdiff_t difference_type;
  typedef T &reference;
  typedef device_ptr pointer;
  __host__ __device__ device_ptr() {}
  __host__ __device__ explicit device_ptr(T *) {}
  __host__ __device__ T *get() const { return nullptr; }
  __host__ __device__ reference operator*() const { return *get(); }
  __host__ __device__ reference operator[](difference_type) const { return *get(); }
  __host__ __device__ device_ptr &operator++() { return *this; }
  __host__ __device__ device_ptr &operator--() { return *this; }
  __host__ __device__ device_ptr &operator+=(difference_type) { return *this; }
  __host__ __device__ device_ptr &operator-=(difference_type) { return *this; }
  __host__ __device__ device_ptr operator+(difference_type) const { return *this; }
  __host__ __device__ device_ptr operator-(difference_type) const { return *this; }
  __host__ __device__ difference_type operator-(const device_ptr &) const { return 0; }
  __host__ __device__ bool operator==(const device_ptr &) const { return true; }
  __host__ __device__ bool operator!=(const device_ptr &) const { return true; }
};
template <typename T> class device_reference {};
template <typename T> __host__ __device__ device_ptr<T> device_pointer_cast(T *Pointer) {
  return device_ptr<T>(Pointer);
}
template <typename T> T *raw_pointer_cast(T *Pointer) { return Pointer; }
template <typename T> T *raw_pointer_cast(const device_ptr<T> &Pointer) {
  return Pointer.get();
}
template <typename T> class device_allocator {};
template <typename T, typename A = device_allocator<T>> class device_vector {
public:
  explicit device_vector(size_t = 0) {}
  device_ptr<T> begin() { return {}; }
  device_ptr<T> end() { return {}; }
  device_ptr<T> data() { return {}; }
  size_t size() const { return 0; }
};
template <typename T, typename A = void> class host_vector {
public:
  explicit host_vector(size_t = 0) {}
  size_t size() const { return 0; }
};
#define OPSIG_FUNCTOR(Name, Result)                                                                \
  template <typename T = void> struct Name {                                                       \
    __host__ __device__ Result operator()(const T &, const T &) const {                            \
      return *static_cast<Result *>(nullptr);                                                      \
    }                                                                                              \
  };                                                                                               \
  template <> struct Name<void> {};
OPSIG_FUNCTOR(plus, T)
OPSIG_FUNCTOR(minus, T)
OPSIG_FUNCTOR(multiplies, T)
OPSIG_FUNCTOR(maximum, T)
OPSIG_FUNCTOR(minimum, T)
OPSIG_FUNCTOR(less, bool)
OPSIG_FUNCTOR(less_equal, bool)
OPSIG_FUNCTOR(greater, bool)
OPSIG_FUNCTOR(greater_equal, bool)
OPSIG_FUNCTOR(equal_to, bool)
OPSIG_FUNCTOR(not_equal_to, bool)
#undef OPSIG_FUNCTOR
template <typename T = void> struct identity {};
template <typename A, typename R> struct unary_function {
  typedef A argument_type;
  typedef R result_type;
};
template <typename A, typename B, typename R> struct binary_function {
  typedef A first_argument_type;
  typedef B second_argument_type;
  typedef R result_type;
};
struct execution_policy_base {
  template <typename T> execution_policy_base on(T) const { return {}; }
  template <typename T> execution_policy_base operator()(T &&) const { return {}; }
};
inline const execution_policy_base device, host, seq;
namespace cuda {
inline const execution_policy_base par, par_nosync;
} // namespace cuda
namespace hip {
inline const execution_policy_base par;
} // namespace hip
#define OPSIG_ALGORITHM(Name) template <typename... T> auto Name(T &&...) -> void * { return nullptr; }
OPSIG_ALGORITHM(copy)
OPSIG_ALGORITHM(copy_if)
OPSIG_ALGORITHM(count)
OPSIG_ALGORITHM(distance)
OPSIG_ALGORITHM(exclusive_scan)
OPSIG_ALGORITHM(fill)
OPSIG_ALGORITHM(for_each)
OPSIG_ALGORITHM(gather)
OPSIG_ALGORITHM(inclusive_scan)
OPSIG_ALGORITHM(lower_bound)
OPSIG_ALGORITHM(make_zip_iterator)
OPSIG_ALGORITHM(max_element)
OPSIG_ALGORITHM(reduce)
OPSIG_ALGORITHM(reduce_by_key)
OPSIG_ALGORITHM(scatter)
OPSIG_ALGORITHM(sequence)
OPSIG_ALGORITHM(sort)
OPSIG_ALGORITHM(sort_by_key)
OPSIG_ALGORITHM(stable_sort_by_key)
OPSIG_ALGORITHM(swap)
OPSIG_ALGORITHM(transform)
OPSIG_ALGORITHM(transform_if)
OPSIG_ALGORITHM(unique)
OPSIG_ALGORITHM(unique_by_key)
OPSIG_ALGORITHM(upper_bound)
#undef OPSIG_ALGORITHM
} // namespace thrust

#endif
