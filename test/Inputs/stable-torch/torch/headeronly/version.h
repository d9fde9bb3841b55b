// A release of a PyTorch that never was: 3.4. Its stable ABI began with 3.1.
#pragma once
#define TORCH_ABI_VERSION ((3ULL << 56) | (4ULL << 48) | (1ULL << 40))
