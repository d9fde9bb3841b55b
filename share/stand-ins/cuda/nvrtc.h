//===- nvrtc.h - compiling at run time ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_NVRTC_H
#define OPSIG_STANDIN_CUDA_NVRTC_H

#include <stddef.h>

typedef enum {
  NVRTC_SUCCESS = 0, NVRTC_ERROR_OUT_OF_MEMORY = 1, NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3, NVRTC_ERROR_INVALID_PROGRAM = 4, NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6, NVRTC_ERROR_INTERNAL_ERROR = 11
} nvrtcResult;
typedef struct _nvrtcProgram *nvrtcProgram;
#ifdef __cplusplus
extern "C" {
#endif
const char *nvrtcGetErrorString(nvrtcResult Result);
nvrtcResult nvrtcVersion(int *Major, int *Minor);
nvrtcResult nvrtcCreateProgram(nvrtcProgram *To, const char *Text, const char *Name, int Count,
                               const char *const *Headers, const char *const *Names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *Program);
nvrtcResult nvrtcCompileProgram(nvrtcProgram Program, int Count, const char *const *Options);
#ifdef __cplusplus
}
#endif

#endif
