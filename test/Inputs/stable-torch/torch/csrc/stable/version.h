#pragma once
#include <torch/headeronly/version.h>

#ifdef TORCH_TARGET_VERSION
#define TORCH_FEATURE_VERSION TORCH_TARGET_VERSION
#else
#define TORCH_FEATURE_VERSION TORCH_ABI_VERSION
#endif

#define TORCH_VERSION_3_2_0 ((3ULL << 56) | (2ULL << 48))
#define TORCH_VERSION_3_3_0 ((3ULL << 56) | (3ULL << 48))
#define TORCH_VERSION_3_4_0 ((3ULL << 56) | (4ULL << 48))
