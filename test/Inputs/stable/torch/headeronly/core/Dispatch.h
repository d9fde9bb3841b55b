#pragma once
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/util/Exception.h>
#define THO_DISPATCH_CASE(enum_type, ...)                                                          \
  case enum_type: {                                                                                \
    using scalar_t [[maybe_unused]] = c10::ScalarTypeToCPPType<enum_type>::type;                   \
    return __VA_ARGS__();                                                                          \
  }
#define THO_DISPATCH_SWITCH(TYPE, NAME, ...)                                                       \
  [&] {                                                                                            \
    switch (TYPE) {                                                                                \
      __VA_ARGS__                                                                                  \
    default:                                                                                       \
      STD_TORCH_CHECK(false, NAME);                                                                \
    }                                                                                              \
  }()
