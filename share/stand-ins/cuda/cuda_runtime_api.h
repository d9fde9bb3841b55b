//===- cuda_runtime_api.h - functions of the runtime ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUDA_RUNTIME_API_H
#define OPSIG_STANDIN_CUDA_CUDA_RUNTIME_API_H

#include "driver_types.h"
#include "library_types.h"

#ifndef CUDART_VERSION // a project may be read as with an older toolkit
#define CUDART_VERSION 12060
#endif

#ifdef __cplusplus
#define OPSIG_DEFAULT(Value) = Value
extern "C" {
#else
#define OPSIG_DEFAULT(Value)
#endif

cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorString(cudaError_t Error);
const char *cudaGetErrorName(cudaError_t Error);
cudaError_t cudaGetDevice(int *Device);
cudaError_t cudaSetDevice(int Device);
cudaError_t cudaGetDeviceCount(int *Count);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *Prop, int Device);
cudaError_t cudaDeviceGetAttribute(int *Value, enum cudaDeviceAttr Attribute, int Device);
cudaError_t cudaDeviceGetStreamPriorityRange(int *Least, int *Greatest);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceCanAccessPeer(int *Can, int Device, int Peer);
cudaError_t cudaDeviceEnablePeerAccess(int Peer, unsigned int Flags);
cudaError_t cudaDeviceSetLimit(enum cudaLimit Limit, size_t Value);
cudaError_t cudaDriverGetVersion(int *Version);
cudaError_t cudaRuntimeGetVersion(int *Version);
cudaError_t cudaMallocHost(void **Pointer, size_t Size);
cudaError_t cudaMallocManaged(void **Pointer, size_t Size, unsigned int Flags OPSIG_DEFAULT(1));
cudaError_t cudaMallocAsync(void **Pointer, size_t Size, cudaStream_t Stream);
cudaError_t cudaFree(void *Pointer);
cudaError_t cudaFreeAsync(void *Pointer, cudaStream_t Stream);
cudaError_t cudaFreeHost(void *Pointer);
cudaError_t cudaHostAlloc(void **Pointer, size_t Size, unsigned int Flags);
cudaError_t cudaHostGetDevicePointer(void **Device, void *Host, unsigned int Flags);
cudaError_t cudaHostRegister(void *Pointer, size_t Size, unsigned int Flags);
cudaError_t cudaHostUnregister(void *Pointer);
cudaError_t cudaMemGetInfo(size_t *Free, size_t *Total);
cudaError_t cudaMemcpy(void *To, const void *From, size_t Size, enum cudaMemcpyKind Kind);
cudaError_t cudaMemcpyAsync(void *To, const void *From, size_t Size, enum cudaMemcpyKind Kind,
                            cudaStream_t Stream OPSIG_DEFAULT(0));
cudaError_t cudaMemcpyPeerAsync(void *To, int ToDevice, const void *From, int FromDevice,
                                size_t Size, cudaStream_t Stream OPSIG_DEFAULT(0));
cudaError_t cudaMemcpy2DAsync(void *To, size_t ToPitch, const void *From, size_t FromPitch,
                              size_t Width, size_t Height, enum cudaMemcpyKind Kind,
                              cudaStream_t Stream OPSIG_DEFAULT(0));
cudaError_t cudaMemset(void *To, int Value, size_t Size);
cudaError_t cudaMemsetAsync(void *To, int Value, size_t Size,
                            cudaStream_t Stream OPSIG_DEFAULT(0));
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *To, const void *Pointer);
cudaError_t cudaStreamCreate(cudaStream_t *Stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Stream, unsigned int Flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *Stream, unsigned int Flags, int Priority);
cudaError_t cudaStreamDestroy(cudaStream_t Stream);
cudaError_t cudaStreamQuery(cudaStream_t Stream);
cudaError_t cudaStreamSynchronize(cudaStream_t Stream);
cudaError_t cudaStreamGetPriority(cudaStream_t Stream, int *Priority);
cudaError_t cudaStreamWaitEvent(cudaStream_t Stream, cudaEvent_t Event,
                                unsigned int Flags OPSIG_DEFAULT(0));
cudaError_t cudaStreamIsCapturing(cudaStream_t Stream, enum cudaStreamCaptureStatus *Status);
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t Stream, enum cudaStreamCaptureStatus *Status,
                                        unsigned long long *Id OPSIG_DEFAULT(0),
                                        cudaGraph_t *Graph OPSIG_DEFAULT(0),
                                        const cudaGraphNode_t **Nodes OPSIG_DEFAULT(0),
                                        size_t *Count OPSIG_DEFAULT(0));
cudaError_t cudaStreamBeginCapture(cudaStream_t Stream, enum cudaStreamCaptureMode Mode);
cudaError_t cudaStreamEndCapture(cudaStream_t Stream, cudaGraph_t *Graph);
cudaError_t cudaStreamAddCallback(cudaStream_t Stream, cudaStreamCallback_t Callback, void *Data,
                                  unsigned int Flags);
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *Mode);
cudaError_t cudaLaunchHostFunc(cudaStream_t Stream, cudaHostFn_t Function, void *Data);
cudaError_t cudaEventCreate(cudaEvent_t *Event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *Event, unsigned int Flags);
cudaError_t cudaEventDestroy(cudaEvent_t Event);
cudaError_t cudaEventQuery(cudaEvent_t Event);
cudaError_t cudaEventRecord(cudaEvent_t Event, cudaStream_t Stream OPSIG_DEFAULT(0));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t Event, cudaStream_t Stream OPSIG_DEFAULT(0),
                                     unsigned int Flags OPSIG_DEFAULT(0));
cudaError_t cudaEventSynchronize(cudaEvent_t Event);
cudaError_t cudaEventElapsedTime(float *Milliseconds, cudaEvent_t Start, cudaEvent_t End);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *Handle, cudaEvent_t Event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *Event, cudaIpcEventHandle_t Handle);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *Handle, void *Pointer);
cudaError_t cudaIpcOpenMemHandle(void **Pointer, cudaIpcMemHandle_t Handle, unsigned int Flags);
cudaError_t cudaIpcCloseMemHandle(void *Pointer);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *To, const void *Function);
cudaError_t cudaFuncSetAttribute(const void *Function, enum cudaFuncAttribute Which, int Value);
cudaError_t cudaFuncSetCacheConfig(const void *Function, enum cudaFuncCache Config);
cudaError_t cudaLaunchKernel(const void *Function, dim3 Grid, dim3 Block, void **Arguments,
                             size_t SharedBytes, cudaStream_t Stream);
cudaError_t cudaLaunchCooperativeKernel(const void *Function, dim3 Grid, dim3 Block,
                                        void **Arguments, size_t SharedBytes,
                                        cudaStream_t Stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *Config, const void *Function,
                                void **Arguments);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks, const void *Function,
                                                          int BlockSize, size_t SharedBytes);
cudaError_t cudaGraphDestroy(cudaGraph_t Graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t Graph);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *Exec, cudaGraph_t Graph,
                                 unsigned long long Flags OPSIG_DEFAULT(0));
cudaError_t cudaGraphLaunch(cudaGraphExec_t Exec, cudaStream_t Stream);
cudaError_t cudaUserObjectCreate(cudaUserObject_t *Object, void *Pointer, cudaHostFn_t Destroy,
                                 unsigned int References, unsigned int Flags);
cudaError_t cudaUserObjectRelease(cudaUserObject_t Object, unsigned int Count OPSIG_DEFAULT(1));
cudaError_t cudaGraphRetainUserObject(cudaGraph_t Graph, cudaUserObject_t Object,
                                      unsigned int Count OPSIG_DEFAULT(1),
                                      unsigned int Flags OPSIG_DEFAULT(0));
cudaError_t cudaGetDriverEntryPoint(
    const char *Name, void **To, unsigned long long Flags,
    enum cudaDriverEntryPointQueryResult *Result OPSIG_DEFAULT(0));
cudaError_t cudaGetDriverEntryPointByVersion(
    const char *Name, void **To, unsigned int Version, unsigned long long Flags,
    enum cudaDriverEntryPointQueryResult *Result OPSIG_DEFAULT(0));
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

#ifdef __cplusplus
}

cudaError_t cudaMalloc(void **Pointer, size_t Size);
template <typename T> cudaError_t cudaMalloc(T **Pointer, size_t Size);
template <typename T>
cudaError_t cudaFuncSetAttribute(T *Function, enum cudaFuncAttribute Which, int Value);
template <typename T>
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *To, T *Function);
template <typename T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks, T Function, int BlockSize,
                                                          size_t SharedBytes);
template <typename T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *Grid, int *Block, T Function,
                                               size_t SharedBytes = 0, int Limit = 0);
template <typename T>
cudaError_t cudaMemcpyToSymbol(const T &Symbol, const void *From, size_t Size, size_t Offset = 0,
                               enum cudaMemcpyKind Kind = cudaMemcpyHostToDevice);
template <typename T>
cudaError_t cudaMemcpyToSymbolAsync(const T &Symbol, const void *From, size_t Size, size_t Offset,
                                    enum cudaMemcpyKind Kind, cudaStream_t Stream = 0);
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void *To, const T &Symbol, size_t Size, size_t Offset = 0,
                                 enum cudaMemcpyKind Kind = cudaMemcpyDeviceToHost);
template <typename T> cudaError_t cudaGetSymbolAddress(void **To, const T &Symbol);
template <typename... Wanted, typename... Given>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *Config, void (*Kernel)(Wanted...),
                               Given &&...Arguments);
#endif
#undef OPSIG_DEFAULT

#endif
