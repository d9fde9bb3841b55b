//===- constant_input_iterator.cuh - with the others ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUB_ITERATOR_CONSTANT_INPUT_ITERATOR_CUH
#define OPSIG_STANDIN_CUDA_CUB_ITERATOR_CONSTANT_INPUT_ITERATOR_CUH

#include "../cub.cuh"

#endif
