//===- vector_types.h - int2, float4 and their kin ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_VECTOR_TYPES_H
#define OPSIG_STANDIN_CUDA_VECTOR_TYPES_H

#include "host_defines.h"

#define OPSIG_VECTORS(Name, Element, AlignOfTwo, AlignOfFour)                                      \
  struct Name##1 {                                                                                 \
    Element x;                                                                                     \
  };                                                                                               \
  struct __align__(AlignOfTwo) Name##2 {                                                           \
    Element x, y;                                                                                  \
  };                                                                                               \
  struct Name##3 {                                                                                 \
    Element x, y, z;                                                                               \
  };                                                                                               \
  struct __align__(AlignOfFour) Name##4 {                                                          \
    Element x, y, z, w;                                                                            \
  };

OPSIG_VECTORS(char, signed char, 2, 4)
OPSIG_VECTORS(uchar, unsigned char, 2, 4)
OPSIG_VECTORS(short, short, 4, 8)
OPSIG_VECTORS(ushort, unsigned short, 4, 8)
OPSIG_VECTORS(int, int, 8, 16)
OPSIG_VECTORS(uint, unsigned int, 8, 16)
OPSIG_VECTORS(long, long, 16, 16)
OPSIG_VECTORS(ulong, unsigned long, 16, 16)
OPSIG_VECTORS(longlong, long long, 16, 16)
OPSIG_VECTORS(ulonglong, unsigned long long, 16, 16)
OPSIG_VECTORS(float, float, 8, 16)
OPSIG_VECTORS(double, double, 16, 16)
#undef OPSIG_VECTORS

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(unsigned int X = 1, unsigned int Y = 1, unsigned int Z = 1)
      : x(X), y(Y), z(Z) {}
  __host__ __device__ constexpr dim3(uint3 V) : x(V.x), y(V.y), z(V.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
#endif
};

#endif
