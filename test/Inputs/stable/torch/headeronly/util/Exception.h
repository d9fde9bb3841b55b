#pragma once
#include <sstream>
#include <stdexcept>
#include <string>
namespace torch::headeronly::detail {
template <typename... Args> std::string message(const Args &...args) {
  std::ostringstream out;
  ((out << args), ...);
  return out.str();
}
} // namespace torch::headeronly::detail
#define STD_TORCH_CHECK(cond, ...)                                                                 \
  if (!(cond)) {                                                                                   \
    throw std::runtime_error(torch::headeronly::detail::message(__func__, ##__VA_ARGS__));         \
  }
