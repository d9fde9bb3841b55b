#pragma once
#define C10_CUDA_CHECK(e) (void)(e)
