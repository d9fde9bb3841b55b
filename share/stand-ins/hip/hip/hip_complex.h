//===- hip_complex.h - complex numbers ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_HIP_HIP_HIP_COMPLEX_H
#define OPSIG_STANDIN_HIP_HIP_HIP_COMPLEX_H

#include "../../cuda/cuComplex.h"

typedef cuFloatComplex hipFloatComplex;
typedef cuDoubleComplex hipDoubleComplex;
typedef cuFloatComplex hipComplex;

#endif
