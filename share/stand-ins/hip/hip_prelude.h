//===- hip_prelude.h - what a HIP compiler adds to a source ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_HIP_HIP_PRELUDE_H
#define OPSIG_STANDIN_HIP_HIP_PRELUDE_H

#ifndef __HIPCC__
#define __HIPCC__ 1
#endif
#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif
// Thrust of an installed CUDA, where AMD's is not, would bring CUDA's types beside those of the same
// names here; for the host alone it does not.
#if __has_include(<crt/common_functions.h>) && !__has_include(<thrust/system/hip/config.h>) &&       \
    !defined(THRUST_DEVICE_SYSTEM)
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#endif
#include <hip/hip_runtime.h>

#endif
