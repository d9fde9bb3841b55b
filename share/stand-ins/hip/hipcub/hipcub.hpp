//===- hipcub.hpp - CUB under its other name ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_HIP_HIPCUB_HIPCUB_HPP
#define OPSIG_STANDIN_HIP_HIPCUB_HIPCUB_HPP

#include "../../cuda/cub/cub.cuh"

namespace hipcub = cub;

#endif
