//===- cuda_math_functions.h - mathematics in device code ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Apart from other functions, because they are wanted beside an installed toolkit, too (cuda_prelude.h).
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_STANDIN_CUDA_CUDA_MATH_FUNCTIONS_H
#define OPSIG_STANDIN_CUDA_CUDA_MATH_FUNCTIONS_H

#ifdef __CUDA__
// Not <cmath>: ::isnan is what headers of PyTorch call. Calls of the C library's functions are ambiguous
// in device code without some for the device, which Clang declares, but for float's.
#include <math.h>
#include <__clang_cuda_math_forward_declares.h>
extern "C" {
__device__ float acosf(float X);
__device__ float acoshf(float X);
__device__ float asinf(float X);
__device__ float asinhf(float X);
__device__ float atanf(float X);
__device__ float atanhf(float X);
__device__ float cbrtf(float X);
__device__ float ceilf(float X);
__device__ float cosf(float X);
__device__ float coshf(float X);
__device__ float erff(float X);
__device__ float erfcf(float X);
__device__ float expf(float X);
__device__ float exp2f(float X);
__device__ float expm1f(float X);
__device__ float fabsf(float X);
__device__ float floorf(float X);
__device__ float lgammaf(float X);
__device__ float logf(float X);
__device__ float log10f(float X);
__device__ float log1pf(float X);
__device__ float log2f(float X);
__device__ float logbf(float X);
__device__ float nearbyintf(float X);
__device__ float rintf(float X);
__device__ float roundf(float X);
__device__ float sinf(float X);
__device__ float sinhf(float X);
__device__ float sqrtf(float X);
__device__ float tanf(float X);
__device__ float tanhf(float X);
__device__ float tgammaf(float X);
__device__ float truncf(float X);
__device__ float atan2f(float X, float Y);
__device__ float copysignf(float X, float Y);
__device__ float fdimf(float X, float Y);
__device__ float fmaxf(float X, float Y);
__device__ float fminf(float X, float Y);
__device__ float fmodf(float X, float Y);
__device__ float hypotf(float X, float Y);
__device__ float nextafterf(float X, float Y);
__device__ float powf(float X, float Y);
__device__ float remainderf(float X, float Y);
__device__ float fmaf(float X, float Y, float Z);
__device__ void sincosf(float X, float *Sine, float *Cosine);
// What the C library has not.
__device__ double rsqrt(double X);
__device__ float rsqrtf(float X);
__device__ double rcbrt(double X);
__device__ float rcbrtf(float X);
__device__ double exp10(double X);
__device__ float exp10f(float X);
__device__ double sinpi(double X);
__device__ float sinpif(float X);
__device__ double cospi(double X);
__device__ float cospif(float X);
__device__ double erfinv(double X);
__device__ float erfinvf(float X);
__device__ double erfcinv(double X);
__device__ float erfcinvf(float X);
__device__ double erfcx(double X);
__device__ float erfcxf(float X);
__device__ double normcdf(double X);
__device__ float normcdff(float X);
__device__ double normcdfinv(double X);
__device__ float normcdfinvf(float X);
// Code of the host may call these, too. Newer C libraries have some of them, without exceptions.
#define OPSIG_ON_HOST(Name)                                                                        \
  double Name(double X) noexcept;                                                                  \
  float Name##f(float X) noexcept;
OPSIG_ON_HOST(rsqrt)
OPSIG_ON_HOST(rcbrt)
OPSIG_ON_HOST(sinpi)
OPSIG_ON_HOST(cospi)
OPSIG_ON_HOST(erfinv)
OPSIG_ON_HOST(erfcinv)
OPSIG_ON_HOST(erfcx)
OPSIG_ON_HOST(normcdf)
OPSIG_ON_HOST(normcdfinv)
#undef OPSIG_ON_HOST
}
// Those of std want both arguments of one type.
#define OPSIG_EXTREMA(One, Other, Common)                                                          \
  __host__ __device__ Common min(const One X, const Other Y);                                      \
  __host__ __device__ Common min(const Other X, const One Y);                                      \
  __host__ __device__ Common max(const One X, const Other Y);                                      \
  __host__ __device__ Common max(const Other X, const One Y);
OPSIG_EXTREMA(int, unsigned int, unsigned int)
OPSIG_EXTREMA(long int, unsigned long int, unsigned long int)
OPSIG_EXTREMA(long long int, unsigned long long int, unsigned long long int)
OPSIG_EXTREMA(float, double, double)
#undef OPSIG_EXTREMA
// Of one type, too: what converts to it, as Half does, says nothing to the templates of std.
#define OPSIG_EXTREMA_OF(Type)                                                                     \
  __host__ __device__ constexpr Type min(const Type X, const Type Y) { return Y < X ? Y : X; }     \
  __host__ __device__ constexpr Type max(const Type X, const Type Y) { return X < Y ? Y : X; }
OPSIG_EXTREMA_OF(int)
OPSIG_EXTREMA_OF(unsigned int)
OPSIG_EXTREMA_OF(long int)
OPSIG_EXTREMA_OF(unsigned long int)
OPSIG_EXTREMA_OF(long long int)
OPSIG_EXTREMA_OF(unsigned long long int)
OPSIG_EXTREMA_OF(float)
OPSIG_EXTREMA_OF(double)
#undef OPSIG_EXTREMA_OF
#endif

#endif
