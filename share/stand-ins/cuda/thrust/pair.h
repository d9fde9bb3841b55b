//===- pair.h - pairs and tuples ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_THRUST_PAIR_H
#define OPSIG_STANDIN_CUDA_THRUST_PAIR_H

#include "../host_defines.h"
#include <tuple>
#include <utility>

namespace thrust {
// What a project's own types can be given to has a body, as in cub.cuh.
template <typename T, typename U> struct pair {
  T first;
  U second;
};
template <typename T, typename U> __host__ __device__ pair<T, U> make_pair(T X, U Y) {
  return {X, Y};
}
template <typename... T> struct tuple {
  __host__ __device__ tuple(const T &...) {}
  // `tie(a, b) = f()`.
  template <typename... U> __host__ __device__ tuple &operator=(const tuple<U...> &) {
    return *this;
  }
  template <typename U, typename V> __host__ __device__ tuple &operator=(const pair<U, V> &) {
    return *this;
  }
};
template <> struct tuple<> {};
template <typename... T> __host__ __device__ tuple<T...> make_tuple(const T &...Values) {
  return tuple<T...>(Values...);
}
template <typename... T> __host__ __device__ tuple<T &...> tie(T &...Values) {
  return tuple<T &...>(Values...);
}
template <size_t I, typename Tuple> struct tuple_element;
template <size_t I, typename... T> struct tuple_element<I, tuple<T...>> {
  typedef typename std::tuple_element<I, std::tuple<T...>>::type type;
};
template <size_t I, typename... T>
__host__ __device__ typename tuple_element<I, tuple<T...>>::type &get(tuple<T...> &) {
  typedef typename tuple_element<I, tuple<T...>>::type Element;
  return *static_cast<typename std::remove_reference<Element>::type *>(nullptr);
}
template <size_t I, typename... T>
__host__ __device__ const typename tuple_element<I, tuple<T...>>::type &get(const tuple<T...> &) {
  typedef typename tuple_element<I, tuple<T...>>::type Element;
  return *static_cast<typename std::remove_reference<Element>::type *>(nullptr);
}
} // namespace thrust

#endif
