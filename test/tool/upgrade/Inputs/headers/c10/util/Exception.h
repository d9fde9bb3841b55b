#pragma once
void fail(...);
#define TORCH_CHECK(x, ...) do { if (!(x)) fail(__VA_ARGS__); } while (false)
#define TORCH_INTERNAL_ASSERT(...) TORCH_CHECK(__VA_ARGS__)
#define AT_ASSERTM(x, ...) TORCH_INTERNAL_ASSERT(x, __VA_ARGS__)
#define AT_ERROR(...) TORCH_CHECK(false, __VA_ARGS__)
#define TORCH_CHECK_INDEX(...) TORCH_CHECK(__VA_ARGS__)
#define TORCH_WARN(...) fail(__VA_ARGS__)
