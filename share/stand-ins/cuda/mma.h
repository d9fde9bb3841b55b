//===- mma.h - products of small matrices ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_MMA_H
#define OPSIG_STANDIN_CUDA_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda::wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}
template <typename Use, int M, int N, int K, typename T, typename Layout = void> struct fragment {
  T x[M * N / 32 > 0 ? M * N / 32 : 1];
  static constexpr int num_elements = M * N / 32;
};
template <typename Fragment, typename T>
__device__ void load_matrix_sync(Fragment &To, const T *From, unsigned int Ld);
template <typename Fragment, typename T>
__device__ void load_matrix_sync(Fragment &To, const T *From, unsigned int Ld, layout_t Layout);
template <typename T, typename Fragment>
__device__ void store_matrix_sync(T *To, const Fragment &From, unsigned int Ld, layout_t Layout);
template <typename D, typename A, typename B, typename C>
__device__ void mma_sync(D &To, const A &Left, const B &Right, const C &Sum);
template <typename Fragment, typename T> __device__ void fill_fragment(Fragment &To, const T &X);
} // namespace nvcuda::wmma

#endif
