// What signatures use of the standard library, by the names it has there.
#pragma once
#include <cstdint>

namespace std {

template <typename T> class allocator {};
template <typename T, typename A = allocator<T>> class vector {};
template <typename T, size_t N> struct array {
  T values[N];
};
template <typename... Ts> class tuple {};
template <typename T> class optional {};
template <typename C> class basic_string_view {};
using string_view = basic_string_view<char>;
inline namespace __cxx11 {
template <typename C> class basic_string {};
} // namespace __cxx11
using string = basic_string<char>;

} // namespace std
