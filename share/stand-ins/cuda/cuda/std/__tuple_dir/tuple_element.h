//===- tuple_element.h - a part of <cuda/std/tuple> ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUDA_STD_TUPLE_DIR_TUPLE_ELEMENT_H
#define OPSIG_STANDIN_CUDA_CUDA_STD_TUPLE_DIR_TUPLE_ELEMENT_H

#include "../tuple"

#endif
