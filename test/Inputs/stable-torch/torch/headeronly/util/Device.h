// What only a compiler for devices has.
#pragma once
#include <no_such_toolkit.h>
namespace torch::headeronly {
inline int on_device() { return 1; }
} // namespace torch::headeronly
