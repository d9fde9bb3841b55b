//===- cuda_bf16.h - bfloat16 and a pair of them --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUDA_BF16_H
#define OPSIG_STANDIN_CUDA_CUDA_BF16_H

#include "vector_types.h"

struct __align__(2) __nv_bfloat16_raw {
  unsigned short x;
};
struct __align__(4) __nv_bfloat162_raw {
  unsigned short x, y;
};

#ifdef __cplusplus
struct __align__(2) __nv_bfloat16 {
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(float X);
  __host__ __device__ __nv_bfloat16(double X);
  __host__ __device__ __nv_bfloat16(int X);
  __host__ __device__ __nv_bfloat16(unsigned int X);
  __host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw &Raw);
  __host__ __device__ operator float() const;
  __host__ __device__ operator __nv_bfloat16_raw() const;
  __host__ __device__ __nv_bfloat16 &operator=(float X);
  __host__ __device__ __nv_bfloat16 &operator+=(const __nv_bfloat16 &Y);
  __host__ __device__ __nv_bfloat16 &operator-=(const __nv_bfloat16 &Y);
  __host__ __device__ __nv_bfloat16 &operator*=(const __nv_bfloat16 &Y);
  __host__ __device__ __nv_bfloat16 &operator/=(const __nv_bfloat16 &Y);

protected:
  unsigned short Bits;
};
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(const __nv_bfloat16 &X, const __nv_bfloat16 &Y);
  __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw &Raw);
};

// As for half.
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
__host__ __device__ __nv_bfloat16 operator+(const __nv_bfloat16 &X, const __nv_bfloat16 &Y);
__host__ __device__ __nv_bfloat16 operator-(const __nv_bfloat16 &X, const __nv_bfloat16 &Y);
__host__ __device__ __nv_bfloat16 operator*(const __nv_bfloat16 &X, const __nv_bfloat16 &Y);
__host__ __device__ __nv_bfloat16 operator/(const __nv_bfloat16 &X, const __nv_bfloat16 &Y);
__host__ __device__ bool operator==(const __nv_bfloat16 &X, const __nv_bfloat16 &Y);
__host__ __device__ bool operator!=(const __nv_bfloat16 &X, const __nv_bfloat16 &Y);
__host__ __device__ bool operator<(const __nv_bfloat16 &X, const __nv_bfloat16 &Y);
__host__ __device__ bool operator>(const __nv_bfloat16 &X, const __nv_bfloat16 &Y);
__host__ __device__ bool operator<=(const __nv_bfloat16 &X, const __nv_bfloat16 &Y);
__host__ __device__ bool operator>=(const __nv_bfloat16 &X, const __nv_bfloat16 &Y);
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
__host__ __device__ __nv_bfloat162 operator+(const __nv_bfloat162 &X, const __nv_bfloat162 &Y);
__host__ __device__ __nv_bfloat162 operator-(const __nv_bfloat162 &X, const __nv_bfloat162 &Y);
__host__ __device__ __nv_bfloat162 operator*(const __nv_bfloat162 &X, const __nv_bfloat162 &Y);
__host__ __device__ __nv_bfloat162 operator/(const __nv_bfloat162 &X, const __nv_bfloat162 &Y);
#endif

__host__ __device__ float __bfloat162float(const __nv_bfloat16 X);
__host__ __device__ __nv_bfloat16 __float2bfloat16(const float X);
#define OPSIG_ROUNDED(Name, Type, How)                                                             \
  __host__ __device__ __nv_bfloat16 __##Name##2bfloat16_##How(const Type X);                       \
  __host__ __device__ Type __bfloat162##Name##_##How(const __nv_bfloat16 X);
#define OPSIG_CONVERSIONS(Name, Type)                                                              \
  OPSIG_ROUNDED(Name, Type, rn)                                                                    \
  OPSIG_ROUNDED(Name, Type, rz)                                                                    \
  OPSIG_ROUNDED(Name, Type, rd)                                                                    \
  OPSIG_ROUNDED(Name, Type, ru)
OPSIG_CONVERSIONS(int, int)
OPSIG_CONVERSIONS(uint, unsigned int)
OPSIG_CONVERSIONS(short, short int)
OPSIG_CONVERSIONS(ushort, unsigned short int)
OPSIG_CONVERSIONS(ll, long long int)
OPSIG_CONVERSIONS(ull, unsigned long long int)
#undef OPSIG_CONVERSIONS
#undef OPSIG_ROUNDED
__host__ __device__ __nv_bfloat16 __float2bfloat16_rn(const float X);
__host__ __device__ __nv_bfloat16 __float2bfloat16_rz(const float X);
__host__ __device__ __nv_bfloat162 __float2bfloat162_rn(const float X);
__host__ __device__ __nv_bfloat162 __floats2bfloat162_rn(const float X, const float Y);
__host__ __device__ __nv_bfloat162 __float22bfloat162_rn(const float2 X);
__host__ __device__ float2 __bfloat1622float2(const __nv_bfloat162 X);
__host__ __device__ float __low2float(const __nv_bfloat162 X);
__host__ __device__ float __high2float(const __nv_bfloat162 X);
__host__ __device__ __nv_bfloat16 __low2bfloat16(const __nv_bfloat162 X);
__host__ __device__ __nv_bfloat16 __high2bfloat16(const __nv_bfloat162 X);
__host__ __device__ __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16 X);
__host__ __device__ __nv_bfloat162 __halves2bfloat162(const __nv_bfloat16 X, const __nv_bfloat16 Y);
__host__ __device__ __nv_bfloat162 make_bfloat162(const __nv_bfloat16 X, const __nv_bfloat16 Y);
__host__ __device__ __nv_bfloat16 __ushort_as_bfloat16(const unsigned short X);
__host__ __device__ unsigned short __bfloat16_as_ushort(const __nv_bfloat16 X);
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#ifdef __CUDA__
__device__ __nv_bfloat16 __hadd(const __nv_bfloat16 X, const __nv_bfloat16 Y);
__device__ __nv_bfloat162 __hadd2(const __nv_bfloat162 X, const __nv_bfloat162 Y);
__device__ __nv_bfloat16 __hsub(const __nv_bfloat16 X, const __nv_bfloat16 Y);
__device__ __nv_bfloat162 __hsub2(const __nv_bfloat162 X, const __nv_bfloat162 Y);
__device__ __nv_bfloat16 __hmul(const __nv_bfloat16 X, const __nv_bfloat16 Y);
__device__ __nv_bfloat162 __hmul2(const __nv_bfloat162 X, const __nv_bfloat162 Y);
__device__ __nv_bfloat16 __hdiv(const __nv_bfloat16 X, const __nv_bfloat16 Y);
__device__ __nv_bfloat162 __hdiv2(const __nv_bfloat162 X, const __nv_bfloat162 Y);
__device__ __nv_bfloat16 __hmax(const __nv_bfloat16 X, const __nv_bfloat16 Y);
__device__ __nv_bfloat162 __hmax2(const __nv_bfloat162 X, const __nv_bfloat162 Y);
__device__ __nv_bfloat16 __hmin(const __nv_bfloat16 X, const __nv_bfloat16 Y);
__device__ __nv_bfloat162 __hmin2(const __nv_bfloat162 X, const __nv_bfloat162 Y);
__device__ bool __heq(const __nv_bfloat16 X, const __nv_bfloat16 Y);
__device__ bool __hne(const __nv_bfloat16 X, const __nv_bfloat16 Y);
__device__ bool __hlt(const __nv_bfloat16 X, const __nv_bfloat16 Y);
__device__ bool __hgt(const __nv_bfloat16 X, const __nv_bfloat16 Y);
__device__ bool __hle(const __nv_bfloat16 X, const __nv_bfloat16 Y);
__device__ bool __hge(const __nv_bfloat16 X, const __nv_bfloat16 Y);
__device__ __nv_bfloat16 hexp(const __nv_bfloat16 X);
__device__ __nv_bfloat162 h2exp(const __nv_bfloat162 X);
__device__ __nv_bfloat16 hlog(const __nv_bfloat16 X);
__device__ __nv_bfloat162 h2log(const __nv_bfloat162 X);
__device__ __nv_bfloat16 hsqrt(const __nv_bfloat16 X);
__device__ __nv_bfloat162 h2sqrt(const __nv_bfloat162 X);
__device__ __nv_bfloat16 hrsqrt(const __nv_bfloat16 X);
__device__ __nv_bfloat162 h2rsqrt(const __nv_bfloat162 X);
__device__ __nv_bfloat16 hsin(const __nv_bfloat16 X);
__device__ __nv_bfloat162 h2sin(const __nv_bfloat162 X);
__device__ __nv_bfloat16 hcos(const __nv_bfloat16 X);
__device__ __nv_bfloat162 h2cos(const __nv_bfloat162 X);
__device__ __nv_bfloat16 hceil(const __nv_bfloat16 X);
__device__ __nv_bfloat162 h2ceil(const __nv_bfloat162 X);
__device__ __nv_bfloat16 hfloor(const __nv_bfloat16 X);
__device__ __nv_bfloat162 h2floor(const __nv_bfloat162 X);
__device__ __nv_bfloat16 htanh(const __nv_bfloat16 X);
__device__ __nv_bfloat162 h2tanh(const __nv_bfloat162 X);
__device__ __nv_bfloat16 __hneg(const __nv_bfloat16 X);
__device__ __nv_bfloat16 __habs(const __nv_bfloat16 X);
__device__ __nv_bfloat162 __habs2(const __nv_bfloat162 X);
__device__ bool __hisnan(const __nv_bfloat16 X);
__device__ __nv_bfloat16 __hfma(const __nv_bfloat16 X, const __nv_bfloat16 Y,
                                const __nv_bfloat16 Z);
__device__ __nv_bfloat162 __hfma2(const __nv_bfloat162 X, const __nv_bfloat162 Y,
                                  const __nv_bfloat162 Z);
#endif
#endif

#endif
