//===- binary_search.h - with the others ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_THRUST_BINARY_SEARCH_H
#define OPSIG_STANDIN_CUDA_THRUST_BINARY_SEARCH_H

#include "thrust.h"

#endif
