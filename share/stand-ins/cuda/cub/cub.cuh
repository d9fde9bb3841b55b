//===- cub.cuh - the parts of CUB, as far as declarations name them -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUB_CUB_CUH
#define OPSIG_STANDIN_CUDA_CUB_CUB_CUH

#include "../cuda_runtime.h"
#include "version.cuh"
#include <cfloat>
#include <cstddef>

// Projects wrap it into a namespace of their own.
#ifdef CUB_NS_PREFIX
CUB_NS_PREFIX
#endif
namespace cub {
// What a project's own types can be given to has a body: where such a type is unnamed, or in an unnamed
// namespace, a declaration alone is an error.
enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

#define OPSIG_COLLECTIVE(Name)                                                                     \
  template <typename T, auto... Parameters> struct Name {                                          \
    struct TempStorage {                                                                           \
      char Bytes[1];                                                                               \
    };                                                                                             \
    __device__ Name() {}                                                                           \
    __device__ Name(TempStorage &) {}                                                              \
    template <typename... A> __device__ T Reduce(A &&...) { return *static_cast<T *>(nullptr); }   \
    template <typename... A> __device__ T Sum(A &&...) { return *static_cast<T *>(nullptr); }      \
    template <typename... A> __device__ void InclusiveSum(A &&...) {}                              \
    template <typename... A> __device__ void ExclusiveSum(A &&...) {}                              \
    template <typename... A> __device__ void InclusiveScan(A &&...) {}                             \
    template <typename... A> __device__ void ExclusiveScan(A &&...) {}                             \
    template <typename... A> __device__ void Load(A &&...) {}                                      \
    template <typename... A> __device__ void Store(A &&...) {}                                     \
    template <typename... A> __device__ void Sort(A &&...) {}                                      \
    template <typename... A> __device__ void SortDescending(A &&...) {}                            \
  };
OPSIG_COLLECTIVE(BlockReduce)
OPSIG_COLLECTIVE(BlockScan)
OPSIG_COLLECTIVE(BlockLoad)
OPSIG_COLLECTIVE(BlockStore)
OPSIG_COLLECTIVE(BlockExchange)
OPSIG_COLLECTIVE(WarpReduce)
OPSIG_COLLECTIVE(WarpScan)
OPSIG_COLLECTIVE(WarpLoad)
OPSIG_COLLECTIVE(WarpStore)
#undef OPSIG_COLLECTIVE
template <typename Key, int Threads, int Items, typename Value = void, auto... Parameters>
struct BlockRadixSort {
  struct TempStorage {
    char Bytes[1];
  };
  __device__ BlockRadixSort(TempStorage &) {}
  template <typename... A> __device__ void Sort(A &&...) {}
  template <typename... A> __device__ void SortDescending(A &&...) {}
  template <typename... A> __device__ void SortBlockedToStriped(A &&...) {}
  template <typename... A> __device__ void SortDescendingBlockedToStriped(A &&...) {}
};

#define OPSIG_DEVICE(Name, ...)                                                                    \
  struct Name {                                                                                    \
    __VA_ARGS__                                                                                    \
  };
#define OPSIG_ENTRY(Name) template <typename... A> static cudaError_t Name(A &&...) { return cudaSuccess; }
OPSIG_DEVICE(DeviceReduce, OPSIG_ENTRY(Reduce) OPSIG_ENTRY(Sum) OPSIG_ENTRY(Min) OPSIG_ENTRY(Max)
                               OPSIG_ENTRY(ReduceByKey) OPSIG_ENTRY(ArgMin) OPSIG_ENTRY(ArgMax))
OPSIG_DEVICE(DeviceSegmentedReduce, OPSIG_ENTRY(Reduce) OPSIG_ENTRY(Sum))
OPSIG_DEVICE(DeviceScan, OPSIG_ENTRY(InclusiveSum) OPSIG_ENTRY(ExclusiveSum)
                             OPSIG_ENTRY(InclusiveScan) OPSIG_ENTRY(ExclusiveScan))
OPSIG_DEVICE(DeviceSelect, OPSIG_ENTRY(Flagged) OPSIG_ENTRY(If) OPSIG_ENTRY(Unique))
OPSIG_DEVICE(DeviceRadixSort, OPSIG_ENTRY(SortKeys) OPSIG_ENTRY(SortPairs)
                                  OPSIG_ENTRY(SortKeysDescending)
                                      OPSIG_ENTRY(SortPairsDescending))
OPSIG_DEVICE(DeviceSegmentedRadixSort, OPSIG_ENTRY(SortKeys) OPSIG_ENTRY(SortPairs)
                                           OPSIG_ENTRY(SortPairsDescending))
OPSIG_DEVICE(DeviceRunLengthEncode, OPSIG_ENTRY(Encode) OPSIG_ENTRY(NonTrivialRuns))
OPSIG_DEVICE(DeviceHistogram, OPSIG_ENTRY(HistogramEven) OPSIG_ENTRY(HistogramRange))
#undef OPSIG_ENTRY
#undef OPSIG_DEVICE

struct Sum {
  template <typename T> __host__ __device__ T operator()(const T &X, const T &) const { return X; }
};
struct Max {
  template <typename T> __host__ __device__ T operator()(const T &X, const T &) const { return X; }
};
struct Min {
  template <typename T> __host__ __device__ T operator()(const T &X, const T &) const { return X; }
};
struct Equality {
  template <typename T> __host__ __device__ bool operator()(const T &, const T &) const { return true; }
};
template <typename K, typename V> struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
};
template <typename T> struct DoubleBuffer {
  T *d_buffers[2];
  int selector;
  __host__ __device__ DoubleBuffer() {}
  __host__ __device__ DoubleBuffer(T *, T *) {}
  __host__ __device__ T *Current() { return d_buffers[0]; }
  __host__ __device__ T *Alternate() { return d_buffers[1]; }
};
template <typename T> struct Traits;
template <typename T> struct FpLimits {
  static __host__ __device__ T Max();
  static __host__ __device__ T Lowest();
};
template <typename V, typename O = std::ptrdiff_t> class CountingInputIterator {
public:
  __host__ __device__ explicit CountingInputIterator(V) {}
};
template <typename V, typename O = std::ptrdiff_t> class ConstantInputIterator {
public:
  __host__ __device__ explicit ConstantInputIterator(V) {}
};
template <typename V, typename F, typename I, typename O = std::ptrdiff_t>
class TransformInputIterator {
public:
  __host__ __device__ TransformInputIterator(I, F) {}
};
template <typename I, typename O = std::ptrdiff_t> class ArgIndexInputIterator {};
} // namespace cub
#ifdef CUB_NS_POSTFIX
CUB_NS_POSTFIX
#endif

#endif
