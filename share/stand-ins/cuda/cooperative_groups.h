//===- cooperative_groups.h - groups of threads ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_COOPERATIVE_GROUPS_H
#define OPSIG_STANDIN_CUDA_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

namespace cooperative_groups {
class thread_group {
public:
  __device__ void sync() const;
  __device__ unsigned int size() const;
  __device__ unsigned int num_threads() const;
  __device__ unsigned int thread_rank() const;
};
class thread_block : public thread_group {
public:
  static __device__ dim3 group_index();
  static __device__ dim3 thread_index();
  static __device__ dim3 group_dim();
};
class grid_group : public thread_group {
public:
  __device__ bool is_valid() const;
};
class cluster_group : public thread_group {
public:
  __device__ unsigned int block_rank() const;
  template <typename T> __device__ T *map_shared_rank(T *Address, int Rank) const;
};
class coalesced_group : public thread_group {
public:
  template <typename T> __device__ T shfl(T Value, unsigned int Lane) const;
};
template <unsigned int Size, typename Parent = void> class thread_block_tile : public thread_group {
public:
  template <typename T> __device__ T shfl(T Value, unsigned int Lane) const;
  template <typename T> __device__ T shfl_down(T Value, unsigned int Delta) const;
  template <typename T> __device__ T shfl_up(T Value, unsigned int Delta) const;
  template <typename T> __device__ T shfl_xor(T Value, unsigned int Mask) const;
  __device__ int any(int Predicate) const;
  __device__ int all(int Predicate) const;
  __device__ unsigned int ballot(int Predicate) const;
  __device__ unsigned int meta_group_rank() const;
  __device__ unsigned int meta_group_size() const;
};
__device__ thread_block this_thread_block();
__device__ grid_group this_grid();
__device__ cluster_group this_cluster();
__device__ coalesced_group coalesced_threads();
template <unsigned int Size, typename Parent>
__device__ thread_block_tile<Size, Parent> tiled_partition(const Parent &Group);
template <typename Group> __device__ void sync(const Group &G);
template <typename T> struct plus {
  __device__ T operator()(const T &X, const T &Y) const;
};
template <typename T> struct greater {
  __device__ T operator()(const T &X, const T &Y) const;
};
template <typename T> struct less {
  __device__ T operator()(const T &X, const T &Y) const;
};
template <typename Group, typename T, typename Op>
__device__ T reduce(const Group &G, T Value, Op &&Operation);
template <typename Group, typename T> __device__ T inclusive_scan(const Group &G, T Value);
template <typename Group, typename T> __device__ T exclusive_scan(const Group &G, T Value);
template <typename Group, typename To, typename From, typename Size>
__device__ void memcpy_async(const Group &G, To *Target, const From *Source, const Size &Count);
template <typename Group> __device__ void wait(const Group &G);
} // namespace cooperative_groups

#endif
