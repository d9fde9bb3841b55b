//===- curand_kernel.h - cuRAND of the device -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CURAND_KERNEL_H
#define OPSIG_STANDIN_CUDA_CURAND_KERNEL_H

#include "curand.h"
#include "curand_philox4x32_x.h"

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

#ifdef __CUDA__
__device__ void curand_init(unsigned long long Seed, unsigned long long Sequence,
                            unsigned long long Offset, curandStatePhilox4_32_10_t *State);
__device__ unsigned int curand(curandStatePhilox4_32_10_t *State);
__device__ float curand_uniform(curandStatePhilox4_32_10_t *State);
__device__ double curand_uniform_double(curandStatePhilox4_32_10_t *State);
__device__ float curand_normal(curandStatePhilox4_32_10_t *State);
__device__ float2 curand_normal2(curandStatePhilox4_32_10_t *State);
__device__ double curand_normal_double(curandStatePhilox4_32_10_t *State);
__device__ void curand_init(unsigned long long Seed, unsigned long long Sequence,
                            unsigned long long Offset, curandStateXORWOW_t *State);
__device__ unsigned int curand(curandStateXORWOW_t *State);
__device__ float curand_uniform(curandStateXORWOW_t *State);
__device__ double curand_uniform_double(curandStateXORWOW_t *State);
__device__ float curand_normal(curandStateXORWOW_t *State);
__device__ float2 curand_normal2(curandStateXORWOW_t *State);
__device__ double curand_normal_double(curandStateXORWOW_t *State);
__device__ uint4 curand4(curandStatePhilox4_32_10_t *State);
__device__ float4 curand_uniform4(curandStatePhilox4_32_10_t *State);
__device__ float4 curand_normal4(curandStatePhilox4_32_10_t *State);
__device__ double2 curand_uniform2_double(curandStatePhilox4_32_10_t *State);
__device__ double2 curand_normal2_double(curandStatePhilox4_32_10_t *State);
#endif

#endif
