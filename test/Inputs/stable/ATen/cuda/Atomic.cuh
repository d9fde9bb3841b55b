#pragma once
template <typename T> void gpuAtomicAdd(T *at, T by);
