//===- cuda.h - types and functions of the driver -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_CUDA_H
#define OPSIG_STANDIN_CUDA_CUDA_H

#include <stddef.h>
#include <stdint.h>

#ifndef CUDA_VERSION // a project may be read as with an older toolkit
#define CUDA_VERSION 12060
#endif

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUarray_st *CUarray;
typedef struct CUgreenCtx_st *CUgreenCtx;
typedef struct CUdevResourceDesc_st *CUdevResourceDesc;
typedef struct CUlogsCallbackEntry_st *CUlogsCallbackHandle;
typedef unsigned int CUlogIterator;
typedef unsigned long long CUmemGenericAllocationHandle;
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

typedef enum cudaError_enum {
  CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3, CUDA_ERROR_DEINITIALIZED = 4, CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101, CUDA_ERROR_INVALID_CONTEXT = 201, CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600, CUDA_ERROR_NOT_SUPPORTED = 801, CUDA_ERROR_UNKNOWN = 999
} CUresult;
typedef enum CUdevice_attribute_enum {
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED = 132
} CUdevice_attribute;
typedef enum CUlogLevel_enum { CU_LOG_LEVEL_ERROR = 0, CU_LOG_LEVEL_WARNING = 1 } CUlogLevel;
typedef enum CUmemAllocationType_enum {
  CU_MEM_ALLOCATION_TYPE_INVALID = 0, CU_MEM_ALLOCATION_TYPE_PINNED = 1
} CUmemAllocationType;
typedef enum CUmemAllocationHandleType_enum {
  CU_MEM_HANDLE_TYPE_NONE = 0, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1,
  CU_MEM_HANDLE_TYPE_FABRIC = 8
} CUmemAllocationHandleType;
typedef enum CUmemLocationType_enum {
  CU_MEM_LOCATION_TYPE_INVALID = 0, CU_MEM_LOCATION_TYPE_DEVICE = 1
} CUmemLocationType;
typedef enum CUmemAccess_flags_enum {
  CU_MEM_ACCESS_FLAGS_PROT_NONE = 0, CU_MEM_ACCESS_FLAGS_PROT_READ = 1,
  CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3
} CUmemAccess_flags;
typedef enum CUmemAllocationGranularity_flags_enum {
  CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1
} CUmemAllocationGranularity_flags;
typedef enum CUmulticastGranularity_flags_enum {
  CU_MULTICAST_GRANULARITY_MINIMUM = 0, CU_MULTICAST_GRANULARITY_RECOMMENDED = 1
} CUmulticastGranularity_flags;
typedef enum CUtensorMapDataType_enum {
  CU_TENSOR_MAP_DATA_TYPE_UINT8 = 0, CU_TENSOR_MAP_DATA_TYPE_UINT16 = 1,
  CU_TENSOR_MAP_DATA_TYPE_UINT32 = 2, CU_TENSOR_MAP_DATA_TYPE_INT32 = 3,
  CU_TENSOR_MAP_DATA_TYPE_UINT64 = 4, CU_TENSOR_MAP_DATA_TYPE_INT64 = 5,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT16 = 6, CU_TENSOR_MAP_DATA_TYPE_FLOAT32 = 7,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT64 = 8, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 = 9,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ = 10, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 = 11,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ = 12, CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B = 13,
  CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B = 14, CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B = 15
} CUtensorMapDataType;
typedef enum CUtensorMapInterleave_enum {
  CU_TENSOR_MAP_INTERLEAVE_NONE = 0, CU_TENSOR_MAP_INTERLEAVE_16B = 1,
  CU_TENSOR_MAP_INTERLEAVE_32B = 2
} CUtensorMapInterleave;
typedef enum CUtensorMapSwizzle_enum {
  CU_TENSOR_MAP_SWIZZLE_NONE = 0, CU_TENSOR_MAP_SWIZZLE_32B = 1, CU_TENSOR_MAP_SWIZZLE_64B = 2,
  CU_TENSOR_MAP_SWIZZLE_128B = 3, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B = 4,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B = 5, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B = 6
} CUtensorMapSwizzle;
typedef enum CUtensorMapL2promotion_enum {
  CU_TENSOR_MAP_L2_PROMOTION_NONE = 0, CU_TENSOR_MAP_L2_PROMOTION_L2_64B = 1,
  CU_TENSOR_MAP_L2_PROMOTION_L2_128B = 2, CU_TENSOR_MAP_L2_PROMOTION_L2_256B = 3
} CUtensorMapL2promotion;
typedef enum CUtensorMapFloatOOBfill_enum {
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA = 1
} CUtensorMapFloatOOBfill;

typedef struct CUmemLocation_st {
  CUmemLocationType type;
  int id;
} CUmemLocation;
typedef struct CUmemAllocationProp_st {
  CUmemAllocationType type;
  CUmemAllocationHandleType requestedHandleTypes;
  CUmemLocation location;
} CUmemAllocationProp;
typedef struct CUmemAccessDesc_st {
  CUmemLocation location;
  CUmemAccess_flags flags;
} CUmemAccessDesc;
typedef struct CUmulticastObjectProp_st {
  unsigned int numDevices;
  size_t size;
  unsigned long long handleTypes, flags;
} CUmulticastObjectProp;
typedef struct CUdevResource_st {
  int type;
} CUdevResource;
typedef struct CUtensorMap_st {
  alignas(64) cuuint64_t opaque[16];
} CUtensorMap;
typedef void (*CUlogsCallback)(void *, CUlogLevel, char *, size_t);

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuInit(unsigned int Flags);
CUresult cuGetErrorString(CUresult Error, const char **Text);
CUresult cuGetErrorName(CUresult Error, const char **Text);
CUresult cuDeviceGet(CUdevice *Device, int Ordinal);
CUresult cuDeviceGetAttribute(int *Value, CUdevice_attribute Attribute, CUdevice Device);
CUresult cuCtxGetCurrent(CUcontext *Context);
CUresult cuCtxSetCurrent(CUcontext Context);
CUresult cuCtxPushCurrent(CUcontext Context);
CUresult cuCtxPopCurrent(CUcontext *Context);
CUresult cuDevicePrimaryCtxGetState(CUdevice Device, unsigned int *Flags, int *Active);
CUresult cuMemAddressReserve(CUdeviceptr *To, size_t Size, size_t Alignment, CUdeviceptr Address,
                             unsigned long long Flags);
CUresult cuMemAddressFree(CUdeviceptr Address, size_t Size);
CUresult cuMemCreate(CUmemGenericAllocationHandle *To, size_t Size,
                     const CUmemAllocationProp *Prop, unsigned long long Flags);
CUresult cuMemMap(CUdeviceptr Address, size_t Size, size_t Offset,
                  CUmemGenericAllocationHandle Handle, unsigned long long Flags);
CUresult cuMemUnmap(CUdeviceptr Address, size_t Size);
CUresult cuMemRelease(CUmemGenericAllocationHandle Handle);
CUresult cuMemSetAccess(CUdeviceptr Address, size_t Size, const CUmemAccessDesc *Access,
                        size_t Count);
CUresult cuMemGetAllocationGranularity(size_t *To, const CUmemAllocationProp *Prop,
                                       CUmemAllocationGranularity_flags Option);
CUresult cuMemGetAddressRange(CUdeviceptr *Base, size_t *Size, CUdeviceptr Address);
CUresult cuMemExportToShareableHandle(void *To, CUmemGenericAllocationHandle Handle,
                                      CUmemAllocationHandleType Type, unsigned long long Flags);
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *To, void *From,
                                        CUmemAllocationHandleType Type);
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *To, void *Address);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *Prop,
                                                CUmemGenericAllocationHandle Handle);
CUresult cuMemsetD32Async(CUdeviceptr To, unsigned int Value, size_t Count, CUstream Stream);
CUresult cuStreamWriteValue32(CUstream Stream, CUdeviceptr Address, cuuint32_t Value,
                              unsigned int Flags);
CUresult cuMulticastCreate(CUmemGenericAllocationHandle *To, const CUmulticastObjectProp *Prop);
CUresult cuMulticastAddDevice(CUmemGenericAllocationHandle Handle, CUdevice Device);
CUresult cuMulticastBindMem(CUmemGenericAllocationHandle Handle, size_t Offset,
                            CUmemGenericAllocationHandle Memory, size_t MemoryOffset, size_t Size,
                            unsigned long long Flags);
CUresult cuMulticastUnbind(CUmemGenericAllocationHandle Handle, CUdevice Device, size_t Offset,
                           size_t Size);
CUresult cuModuleLoadData(CUmodule *Module, const void *Image);
CUresult cuModuleGetFunction(CUfunction *Function, CUmodule Module, const char *Name);
CUresult cuLaunchKernel(CUfunction Function, unsigned int GridX, unsigned int GridY,
                        unsigned int GridZ, unsigned int BlockX, unsigned int BlockY,
                        unsigned int BlockZ, unsigned int SharedBytes, CUstream Stream,
                        void **Arguments, void **Extra);
CUresult cuTensorMapEncodeTiled(CUtensorMap *To, CUtensorMapDataType Type, cuuint32_t Rank,
                                void *Address, const cuuint64_t *Sizes, const cuuint64_t *Strides,
                                const cuuint32_t *Box, const cuuint32_t *ElementStrides,
                                CUtensorMapInterleave Interleave, CUtensorMapSwizzle Swizzle,
                                CUtensorMapL2promotion Promotion, CUtensorMapFloatOOBfill Fill);
CUresult cuTensorMapEncodeIm2col(CUtensorMap *To, CUtensorMapDataType Type, cuuint32_t Rank,
                                 void *Address, const cuuint64_t *Sizes,
                                 const cuuint64_t *Strides, const int *Lower, const int *Upper,
                                 cuuint32_t Channels, cuuint32_t Pixels,
                                 const cuuint32_t *ElementStrides,
                                 CUtensorMapInterleave Interleave, CUtensorMapSwizzle Swizzle,
                                 CUtensorMapL2promotion Promotion, CUtensorMapFloatOOBfill Fill);
CUresult cuTensorMapReplaceAddress(CUtensorMap *Map, void *Address);
CUresult cuLogsRegisterCallback(CUlogsCallback Callback, void *Data, CUlogsCallbackHandle *To);
CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle Handle);
CUresult cuGreenCtxCreate(CUgreenCtx *To, CUdevResourceDesc Desc, CUdevice Device,
                          unsigned int Flags);
CUresult cuGreenCtxDestroy(CUgreenCtx Context);
CUresult cuGreenCtxStreamCreate(CUstream *To, CUgreenCtx Context, unsigned int Flags,
                                int Priority);
CUresult cuCtxFromGreenCtx(CUcontext *To, CUgreenCtx Context);
CUresult cuDevResourceGenerateDesc(CUdevResourceDesc *To, CUdevResource *From,
                                   unsigned int Count);
#ifdef __cplusplus
}
#endif

#endif
