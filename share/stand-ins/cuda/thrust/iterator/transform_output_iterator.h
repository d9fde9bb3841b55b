//===- transform_output_iterator.h - with the others ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_THRUST_ITERATOR_TRANSFORM_OUTPUT_ITERATOR_H
#define OPSIG_STANDIN_CUDA_THRUST_ITERATOR_TRANSFORM_OUTPUT_ITERATOR_H

#include "../thrust.h"

#endif
