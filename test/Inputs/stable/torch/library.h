// What TORCH_LIBRARY code is made of, and code of the stable ABI is not.
#pragma once
#if defined(TORCH_STABLE_ONLY) || defined(TORCH_TARGET_VERSION)
#error "not for stable code"
#endif
#include "../../torch/torch/library.h"
