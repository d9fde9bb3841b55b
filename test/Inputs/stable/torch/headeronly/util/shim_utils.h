#pragma once
#include <stdexcept>
#define TORCH_ERROR_CODE_CHECK(call)                                                               \
  if ((call) != 0) {                                                                               \
    throw std::runtime_error(#call);                                                               \
  }
