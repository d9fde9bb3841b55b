// What signatures use of the standard library, by the names it has there.
#pragma once
#include <cstdint>

namespace std {

template <typename T> class allocator {};
template <typename T> class initializer_list {
  const T *first;
  size_t count;
};
struct nullopt_t {
  explicit constexpr nullopt_t(int) {}
};
constexpr nullopt_t nullopt{0};
template <typename T, typename A = allocator<T>> class vector {
public:
  vector();
  vector(initializer_list<T>);
};
template <typename T, size_t N> struct array {
  T values[N];
};
template <typename... Ts> class tuple {
public:
  template <typename... Us> tuple(Us &&...values);
};
template <typename T> class optional {
public:
  optional();
  optional(nullopt_t);
  optional(T);
};
template <typename C> class basic_string_view {
public:
  basic_string_view();
  basic_string_view(const C *);
};
using string_view = basic_string_view<char>;
inline namespace __cxx11 {
template <typename C> class basic_string {};
} // namespace __cxx11
using string = basic_string<char>;

} // namespace std
