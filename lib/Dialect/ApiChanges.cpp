//===- ApiChanges.cpp - C++ API that releases took away or replaced ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Dialect/ApiChanges.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using llvm::VersionTuple;

static const VersionTuple V1_2(1, 2), V1_3(1, 3), V1_5(1, 5), V1_11(1, 11);

static constexpr llvm::StringLiteral RemovalOfTHC = "aten/src/THC, deleted before 1.11",
                                     RemovalOfATCheck = "c10/util/Exception.h of 1.4 and 1.5",
                                     Stream = "c10/cuda/CUDAStream.h",
                                     Allocator = "c10/cuda/CUDACachingAllocator.h";

llvm::ArrayRef<ApiChange> opsig::apiChanges() {
  using C = ApiChange;
  static const ApiChange All[] = {
      {C::Header, "TH/TH.h", "", "", {}, V1_11, RemovalOfTHC},
      {C::Header, "TH/THGeneral.h", "", "", {}, V1_11, RemovalOfTHC},
      {C::Header, "THC/THC.h", "ATen/cuda/CUDAContext.h", "", {}, V1_11, RemovalOfTHC},
      {C::Header, "THC/THCAtomics.cuh", "ATen/cuda/Atomic.cuh", "", {}, V1_11, RemovalOfTHC},
      {C::Header,
       "THC/THCDeviceUtils.cuh",
       "ATen/cuda/DeviceUtils.cuh",
       "",
       {},
       V1_11,
       RemovalOfTHC},
      {C::Header, "THC/THCGeneral.h", "ATen/cuda/CUDAContext.h", "", {}, V1_11, RemovalOfTHC},
      {C::Header, "THC/THCGeneral.hpp", "ATen/cuda/CUDAContext.h", "", {}, V1_11, RemovalOfTHC},
      {C::Header,
       "THC/THCNumerics.cuh",
       "ATen/cuda/NumericLimits.cuh",
       "",
       {},
       V1_11,
       RemovalOfTHC},
      {C::Header,
       "THC/THCReduceApplyUtils.cuh",
       "ATen/cuda/CUDAApplyUtils.cuh",
       "",
       {},
       V1_11,
       RemovalOfTHC},
      {C::Header,
       "THC/THCThrustAllocator.cuh",
       "ATen/cuda/ThrustAllocator.h",
       "",
       {},
       V1_11,
       RemovalOfTHC},

      {C::Name, "AT_CHECK", "TORCH_CHECK", "c10/util/Exception.h", V1_2, V1_5, RemovalOfATCheck},
      {C::Name,
       "AT_ASSERT",
       "TORCH_INTERNAL_ASSERT",
       "c10/util/Exception.h",
       V1_2,
       {},
       "c10/util/Exception.h: AT_ASSERT expands to it"},
      {C::Name,
       "AT_ASSERTM",
       "TORCH_INTERNAL_ASSERT",
       "c10/util/Exception.h",
       V1_2,
       {},
       "c10/util/Exception.h: AT_ASSERTM expands to it"},
      {C::Name, "THCCeilDiv", "at::ceil_div", "ATen/ceil_div.h", {}, V1_11, "ATen/ceil_div.h"},
      {C::Name,
       "THCudaCheck",
       "C10_CUDA_CHECK",
       "c10/cuda/CUDAException.h",
       {},
       V1_11,
       "c10/cuda/CUDAException.h"},

      {C::Call,
       "AT_ERROR",
       "TORCH_CHECK(false, $*)",
       "c10/util/Exception.h",
       V1_2,
       {},
       "c10/util/Exception.h: AT_ERROR expands to it"},
      {C::Call,
       "THArgCheck",
       "TORCH_CHECK($1, $3)",
       "c10/util/Exception.h",
       {},
       V1_11,
       RemovalOfTHC},
      {C::Call,
       "THCState_getCurrentDeviceProperties",
       "at::cuda::getCurrentDeviceProperties()",
       "ATen/cuda/CUDAContext.h",
       {},
       V1_11,
       "ATen/cuda/CUDAContext.h"},
      {C::Call,
       "THCState_getCurrentStream",
       "at::cuda::getCurrentCUDAStream()",
       "ATen/cuda/CUDAContext.h",
       {},
       V1_11,
       Stream},
      {C::Call,
       "THCudaFree",
       "c10::cuda::CUDACachingAllocator::raw_delete($2)",
       "c10/cuda/CUDACachingAllocator.h",
       {},
       V1_11,
       Allocator},
      {C::Call,
       "THCudaMalloc",
       "c10::cuda::CUDACachingAllocator::raw_alloc($2)",
       "c10/cuda/CUDACachingAllocator.h",
       {},
       V1_11,
       Allocator},

      {C::Method, "at::Tensor::data", "data_ptr", "", V1_3, {}, "ATen/core/TensorBody.h"},
      {C::Method, "at::Tensor::type", "scalar_type", "", V1_5, {}, "ATen/core/TensorBody.h"},

      {C::Variable, "THCState", "at::globalContext().lazyInitCUDA()", "", {}, V1_11, RemovalOfTHC},
  };
  return All;
}

const ApiChange *opsig::findApiChange(llvm::StringRef From) {
  auto It = llvm::find_if(apiChanges(), [&](const ApiChange &C) { return C.From == From; });
  return It == apiChanges().end() ? nullptr : &*It;
}

unsigned opsig::requiredCppStandard(const VersionTuple &Release) {
  if (Release >= VersionTuple(2, 14))
    return 20;
  if (Release >= VersionTuple(2, 1))
    return 17;
  return 14;
}
