//===- HIPConfig.h - what a build of PyTorch for ROCm writes there --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_TORCH_ATEN_HIP_HIPCONFIG_H
#define OPSIG_STANDIN_TORCH_ATEN_HIP_HIPCONFIG_H

#define AT_ROCM_ENABLED() 1
#define AT_MAGMA_ENABLED() 0

#endif
