#pragma once
#include <optional>

namespace c10 {
#ifdef TORCH_STD_OPTIONAL
using std::optional;
using string_view = std::string_view;
#else
template <typename T> class optional {};
template <typename C> class basic_string_view {};
using string_view = basic_string_view<char>;
#endif
} // namespace c10
