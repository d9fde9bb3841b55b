//===- cuda_math_functions.h - functions of device code that the C library lacks -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Apart from the others, because they are wanted beside an installed toolkit, too (cuda_prelude.h).
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_STANDIN_CUDA_CUDA_MATH_FUNCTIONS_H
#define OPSIG_STANDIN_CUDA_CUDA_MATH_FUNCTIONS_H

#ifdef __CUDA__
extern "C" {
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
}
#endif

#endif
