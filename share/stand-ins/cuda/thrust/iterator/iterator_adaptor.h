//===- iterator_adaptor.h - with the others -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_THRUST_ITERATOR_ITERATOR_ADAPTOR_H
#define OPSIG_STANDIN_CUDA_THRUST_ITERATOR_ITERATOR_ADAPTOR_H

#include "../thrust.h"

#endif
