#pragma once
namespace c10::cuda::CUDACachingAllocator { void *raw_alloc(unsigned long); }
