//===- vector_functions.h - make_int2, make_float4 and their kin ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_VECTOR_FUNCTIONS_H
#define OPSIG_STANDIN_CUDA_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define OPSIG_MAKERS(Name, Element)                                                                \
  static __inline__ __host__ __device__ Name##1 make_##Name##1(Element X) { return {X}; }          \
  static __inline__ __host__ __device__ Name##2 make_##Name##2(Element X, Element Y) {             \
    return {X, Y};                                                                                 \
  }                                                                                                \
  static __inline__ __host__ __device__ Name##3 make_##Name##3(Element X, Element Y, Element Z) {  \
    return {X, Y, Z};                                                                              \
  }                                                                                                \
  static __inline__ __host__ __device__ Name##4 make_##Name##4(Element X, Element Y, Element Z,    \
                                                               Element W) {                        \
    return {X, Y, Z, W};                                                                           \
  }

OPSIG_MAKERS(char, signed char)
OPSIG_MAKERS(uchar, unsigned char)
OPSIG_MAKERS(short, short)
OPSIG_MAKERS(ushort, unsigned short)
OPSIG_MAKERS(int, int)
OPSIG_MAKERS(uint, unsigned int)
OPSIG_MAKERS(long, long)
OPSIG_MAKERS(ulong, unsigned long)
OPSIG_MAKERS(longlong, long long)
OPSIG_MAKERS(ulonglong, unsigned long long)
OPSIG_MAKERS(float, float)
OPSIG_MAKERS(double, double)
#undef OPSIG_MAKERS

#endif
