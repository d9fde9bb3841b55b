#if !defined(TORCH_STABLE_ONLY) && !defined(TORCH_TARGET_VERSION)
#pragma once
#define AT_SOMETHING 1
#else
#error "not for stable code"
#endif
