#pragma once
#include <optional>

namespace c10 {
#ifdef TORCH_STD_OPTIONAL
using std::nullopt;
using std::nullopt_t;
using std::optional;
using string_view = std::string_view;
#else
struct nullopt_t {
  explicit constexpr nullopt_t(int) {}
};
constexpr nullopt_t nullopt{0};
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
#endif
} // namespace c10
