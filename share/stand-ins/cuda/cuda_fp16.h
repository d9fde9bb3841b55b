//===- cuda_fp16.h - half and half2 ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUDA_FP16_H
#define OPSIG_STANDIN_CUDA_CUDA_FP16_H

#include "vector_types.h"

struct __align__(2) __half_raw {
  unsigned short x;
};
struct __align__(4) __half2_raw {
  unsigned short x, y;
};

#ifdef __cplusplus
struct __align__(2) __half {
  __half() = default;
  __host__ __device__ __half(const __half_raw &Raw);
  __host__ __device__ operator __half_raw() const;
#ifndef __CUDA_NO_HALF_CONVERSIONS__
  __host__ __device__ __half(float X);
  __host__ __device__ __half(double X);
  __host__ __device__ __half(int X);
  __host__ __device__ __half(unsigned int X);
  __host__ __device__ operator float() const;
  __host__ __device__ __half &operator=(float X);
#endif
  __host__ __device__ __half &operator+=(const __half &Y);
  __host__ __device__ __half &operator-=(const __half &Y);
  __host__ __device__ __half &operator*=(const __half &Y);
  __host__ __device__ __half &operator/=(const __half &Y);

protected:
  unsigned short Bits;
};
struct __align__(4) __half2 {
  __half x, y;

  __half2() = default;
  __host__ __device__ __half2(const __half &X, const __half &Y);
  __host__ __device__ __half2(const __half2_raw &Raw);
};

// A build may do without these, as that of PyTorch does: its own half types convert to this one.
#ifndef __CUDA_NO_HALF_OPERATORS__
__host__ __device__ __half operator+(const __half &X, const __half &Y);
__host__ __device__ __half operator-(const __half &X, const __half &Y);
__host__ __device__ __half operator*(const __half &X, const __half &Y);
__host__ __device__ __half operator/(const __half &X, const __half &Y);
__host__ __device__ bool operator==(const __half &X, const __half &Y);
__host__ __device__ bool operator!=(const __half &X, const __half &Y);
__host__ __device__ bool operator<(const __half &X, const __half &Y);
__host__ __device__ bool operator>(const __half &X, const __half &Y);
__host__ __device__ bool operator<=(const __half &X, const __half &Y);
__host__ __device__ bool operator>=(const __half &X, const __half &Y);
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
__host__ __device__ __half2 operator+(const __half2 &X, const __half2 &Y);
__host__ __device__ __half2 operator-(const __half2 &X, const __half2 &Y);
__host__ __device__ __half2 operator*(const __half2 &X, const __half2 &Y);
__host__ __device__ __half2 operator/(const __half2 &X, const __half2 &Y);
#endif

__host__ __device__ float __half2float(const __half X);
__host__ __device__ __half __double2half(const double X);
__host__ __device__ __half __float2half(const float X);
__host__ __device__ __half __float2half_rn(const float X);
__host__ __device__ __half __float2half_rz(const float X);
__host__ __device__ __half2 __float2half2_rn(const float X);
__host__ __device__ __half2 __floats2half2_rn(const float X, const float Y);
__host__ __device__ __half2 __float22half2_rn(const float2 X);
__host__ __device__ float2 __half22float2(const __half2 X);
__host__ __device__ float __low2float(const __half2 X);
__host__ __device__ float __high2float(const __half2 X);
__host__ __device__ __half __low2half(const __half2 X);
__host__ __device__ __half __high2half(const __half2 X);
__host__ __device__ __half2 __half2half2(const __half X);
__host__ __device__ __half2 __halves2half2(const __half X, const __half Y);
__host__ __device__ __half2 make_half2(const __half X, const __half Y);
__host__ __device__ __half __ushort_as_half(const unsigned short X);
__host__ __device__ unsigned short __half_as_ushort(const __half X);
__host__ __device__ __half __short_as_half(const short X);
__host__ __device__ short __half_as_short(const __half X);
#define OPSIG_ROUNDED(Name, Type, How)                                                             \
  __host__ __device__ __half __##Name##2half_##How(const Type X);                                  \
  __host__ __device__ Type __half2##Name##_##How(const __half X);
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
#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif
#ifdef __CUDA__
__device__ __half __hadd(const __half X, const __half Y);
__device__ __half2 __hadd2(const __half2 X, const __half2 Y);
__device__ __half __hsub(const __half X, const __half Y);
__device__ __half2 __hsub2(const __half2 X, const __half2 Y);
__device__ __half __hmul(const __half X, const __half Y);
__device__ __half2 __hmul2(const __half2 X, const __half2 Y);
__device__ __half __hdiv(const __half X, const __half Y);
__device__ __half2 __hdiv2(const __half2 X, const __half2 Y);
__device__ __half __hmax(const __half X, const __half Y);
__device__ __half2 __hmax2(const __half2 X, const __half2 Y);
__device__ __half __hmin(const __half X, const __half Y);
__device__ __half2 __hmin2(const __half2 X, const __half2 Y);
__device__ bool __heq(const __half X, const __half Y);
__device__ bool __hne(const __half X, const __half Y);
__device__ bool __hlt(const __half X, const __half Y);
__device__ bool __hgt(const __half X, const __half Y);
__device__ bool __hle(const __half X, const __half Y);
__device__ bool __hge(const __half X, const __half Y);
__device__ __half hexp(const __half X);
__device__ __half2 h2exp(const __half2 X);
__device__ __half hlog(const __half X);
__device__ __half2 h2log(const __half2 X);
__device__ __half hsqrt(const __half X);
__device__ __half2 h2sqrt(const __half2 X);
__device__ __half hrsqrt(const __half X);
__device__ __half2 h2rsqrt(const __half2 X);
__device__ __half hsin(const __half X);
__device__ __half2 h2sin(const __half2 X);
__device__ __half hcos(const __half X);
__device__ __half2 h2cos(const __half2 X);
__device__ __half hceil(const __half X);
__device__ __half2 h2ceil(const __half2 X);
__device__ __half hfloor(const __half X);
__device__ __half2 h2floor(const __half2 X);
__device__ __half htanh(const __half X);
__device__ __half2 h2tanh(const __half2 X);
__device__ __half __hneg(const __half X);
__device__ __half __habs(const __half X);
__device__ __half2 __habs2(const __half2 X);
__device__ bool __hisnan(const __half X);
__device__ __half __hfma(const __half X, const __half Y, const __half Z);
__device__ __half2 __hfma2(const __half2 X, const __half2 Y, const __half2 Z);
#endif
#endif

#endif
