//===- curand_philox4x32_x.h - the Philox generator -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CURAND_PHILOX4X32_X_H
#define OPSIG_STANDIN_CUDA_CURAND_PHILOX4X32_X_H

#include "vector_types.h"

struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

#endif
