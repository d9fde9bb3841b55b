//===- cuComplex.h - complex numbers --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUCOMPLEX_H
#define OPSIG_STANDIN_CUDA_CUCOMPLEX_H

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

static __inline__ __host__ __device__ cuFloatComplex make_cuFloatComplex(float Re, float Im) {
  return {Re, Im};
}
static __inline__ __host__ __device__ cuDoubleComplex make_cuDoubleComplex(double Re, double Im) {
  return {Re, Im};
}
static __inline__ __host__ __device__ cuComplex make_cuComplex(float Re, float Im) {
  return {Re, Im};
}
static __inline__ __host__ __device__ float cuCrealf(cuFloatComplex X) { return X.x; }
static __inline__ __host__ __device__ float cuCimagf(cuFloatComplex X) { return X.y; }
static __inline__ __host__ __device__ double cuCreal(cuDoubleComplex X) { return X.x; }
static __inline__ __host__ __device__ double cuCimag(cuDoubleComplex X) { return X.y; }

#endif
