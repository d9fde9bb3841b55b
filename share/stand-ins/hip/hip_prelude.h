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
#include <hip/hip_runtime.h>

#endif
