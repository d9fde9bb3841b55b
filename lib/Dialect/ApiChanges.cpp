//===- ApiChanges.cpp - C++ API that releases took away or replaced ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Dialect/ApiChanges.h"

#include "llvm/ADT/STLExtras.h"
#include <vector>

using namespace opsig;
using llvm::VersionTuple;

static const VersionTuple V1_2(1, 2), V1_3(1, 3), V1_5(1, 5), V1_11(1, 11);
// What the headers of these releases have, or lack.
static const VersionTuple In1_13(1, 13, 1), In2_6(2, 6, 0), In2_14(2, 14, 1);

static constexpr llvm::StringLiteral RemovalOfTHC = "aten/src/THC, deleted before 1.11",
                                     RemovalOfATCheck = "c10/util/Exception.h of 1.4 and 1.5",
                                     Exception = "c10/util/Exception.h",
                                     Stream = "c10/cuda/CUDAStream.h",
                                     Allocator = "c10/cuda/CUDACachingAllocator.h",
                                     Context = "ATen/Context.h", Tensor = "ATen/core/TensorBody.h",
                                     Linalg = "ATen/native/native_functions.yaml",
                                     Dispatch = "ATen/Dispatch.h", Cpp17 = "c10/util/C++17.h";

using C = ApiChange;

/// Headers, macros and functions of TH and THC.
static const C OfTHC[] = {
    {C::Header, "TH/TH.h", "", "", {}, V1_11, RemovalOfTHC},
    {C::Header, "TH/THGeneral.h", "", "", {}, V1_11, RemovalOfTHC},
    {C::Header, "THC/THC.h", "ATen/cuda/CUDAContext.h", "", {}, V1_11, RemovalOfTHC},
    {C::Header,
     "THC/THCAtomics.cuh",
     "ATen/cuda/Atomic.cuh",
     "",
     {},
     V1_11,
     RemovalOfTHC,
     "",
     In1_13},
    {C::Header,
     "THC/THCDeviceUtils.cuh",
     "ATen/cuda/DeviceUtils.cuh",
     "",
     {},
     V1_11,
     RemovalOfTHC,
     "",
     In1_13},
    {C::Header, "THC/THCGeneral.h", "ATen/cuda/CUDAContext.h", "", {}, V1_11, RemovalOfTHC},
    {C::Header, "THC/THCGeneral.hpp", "ATen/cuda/CUDAContext.h", "", {}, V1_11, RemovalOfTHC},
    {C::Header, "THC/THCNumerics.cuh", "ATen/cuda/NumericLimits.cuh", "", {}, V1_11, RemovalOfTHC},
    {C::Header,
     "THC/THCReduceApplyUtils.cuh",
     "ATen/cuda/CUDAApplyUtils.cuh",
     "",
     {},
     V1_11,
     RemovalOfTHC},
    {C::Header, "THC/THCTensor.h", "ATen/cuda/CUDAContext.h", "", {}, V1_11, RemovalOfTHC},
    {C::Header, "THC/THCTensorMathBlas.h", "ATen/cuda/CUDABlas.h", "", {}, V1_11, RemovalOfTHC},
    {C::Header,
     "THC/THCThrustAllocator.cuh",
     "ATen/cuda/ThrustAllocator.h",
     "",
     {},
     V1_11,
     RemovalOfTHC,
     "",
     In1_13},

    {C::Name,
     "THCCeilDiv",
     "at::ceil_div",
     "ATen/ceil_div.h",
     {},
     V1_11,
     "ATen/ceil_div.h",
     "",
     In1_13},
    {C::Name,
     "THCudaCheck",
     "C10_CUDA_CHECK",
     "c10/cuda/CUDAException.h",
     {},
     V1_11,
     "c10/cuda/CUDAException.h"},

    {C::Call, "THArgCheck", "TORCH_CHECK($1, $3)", Exception, {}, V1_11, RemovalOfTHC},
    {C::Call, "THError", "TORCH_CHECK(false, $1)", Exception, {}, V1_11, RemovalOfTHC},
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
     "THCState_getCurrentBlasHandle",
     "at::cuda::getCurrentCUDABlasHandle()",
     "ATen/cuda/CUDAContext.h",
     {},
     V1_11,
     "ATen/cuda/CUDAContextLight.h"},
    {C::Call,
     "THCudaFree",
     "c10::cuda::CUDACachingAllocator::raw_delete($2)",
     Allocator,
     {},
     V1_11,
     Allocator},
    {C::Call,
     "THCudaMalloc",
     "c10::cuda::CUDACachingAllocator::raw_alloc($2)",
     Allocator,
     {},
     V1_11,
     Allocator},

    {C::Variable, "THCState", "at::globalContext().lazyInitCUDA()", "", {}, V1_11, RemovalOfTHC},

    {C::Call,
     "THCudaBlas_Sgemm",
     "at::cuda::blas::gemm<float>($2*)",
     "ATen/cuda/CUDABlas.h",
     {},
     V1_11,
     "ATen/cuda/CUDABlas.h"},
    {C::Advice,
     "THCudaBlas_SgemmBatched",
     "call 'at::baddbmm_out', or 'cublasSgemmBatched' with "
     "'at::cuda::getCurrentCUDABlasHandle()'",
     "",
     {},
     V1_11,
     RemovalOfTHC},
    {C::Call,
     "THCudaBlas_Sgemv",
     "at::cuda::blas::gemv<float>($2*)",
     "ATen/cuda/CUDABlas.h",
     {},
     V1_11,
     "ATen/cuda/CUDABlas.h"},
    {C::Advice, "THFloatBlas_gemm", "call 'at::addmm_out'", "", {}, V1_11, RemovalOfTHC},
    {C::Advice, "THFloatBlas_gemv", "call 'at::addmv_out'", "", {}, V1_11, RemovalOfTHC},
    {C::Advice,
     "THCNumerics",
     "write the operators of C++; 'at::Half' has them",
     "",
     {},
     V1_11,
     RemovalOfTHC},
    {C::Advice,
     "THCudaTensor",
     "take 'at::Tensor'; functions of TH's tensors are its methods",
     "",
     {},
     V1_11,
     RemovalOfTHC},
    {C::Advice,
     "THFloatTensor",
     "take 'at::Tensor'; functions of TH's tensors are its methods",
     "",
     {},
     V1_11,
     RemovalOfTHC},
};

/// Macros.
static const C OfMacros[] = {
    {C::Name, "AT_CHECK", "TORCH_CHECK", Exception, V1_2, V1_5, RemovalOfATCheck},
    {C::Name,
     "AT_ASSERT",
     "TORCH_INTERNAL_ASSERT",
     Exception,
     V1_2,
     {},
     "c10/util/Exception.h: AT_ASSERT expands to it"},
    {C::Name,
     "AT_ASSERTM",
     "TORCH_INTERNAL_ASSERT",
     Exception,
     V1_2,
     {},
     "c10/util/Exception.h: AT_ASSERTM expands to it"},
    {C::Name, "AT_WARN", "TORCH_WARN", Exception, {}, In1_13, Exception},
    {C::Call,
     "AT_ERROR",
     "TORCH_CHECK(false, $*)",
     Exception,
     V1_2,
     {},
     "c10/util/Exception.h: AT_ERROR expands to it"},
    {C::Call, "AT_INDEX_ERROR", "TORCH_CHECK_INDEX(false, $*)", Exception, {}, In1_13, Exception},
    {C::Call,
     "AT_DISPATCH_ALL_TYPES_AND_HALF",
     "AT_DISPATCH_ALL_TYPES_AND(at::ScalarType::Half, $*)",
     "ATen/Dispatch.h",
     {},
     In2_6,
     Dispatch},
    {C::Call,
     "AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND_HALF",
     "AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND(at::ScalarType::Half, $*)",
     "ATen/Dispatch.h",
     {},
     In2_6,
     Dispatch},
};

/// Functions, types and namespaces.
static const C OfNames[] = {
    {C::Name, "c10::IntList", "at::IntArrayRef", "", In1_13, {}, "c10/util/ArrayRef.h"},
    {C::Name, "at::getType", "at::getDeprecatedTypeProperties", "", {}, In1_13, Context},
    {C::Call, "at::SparseTensorRef", "$1", "", {}, In1_13, Tensor},
    {C::Name, "c10::variant", "std::variant", "variant", {}, In2_6, "c10/util/variant.h"},
    {C::Name, "c10::get_if", "std::get_if", "variant", {}, In2_6, "c10/util/variant.h"},
    {C::Name,
     "c10::holds_alternative",
     "std::holds_alternative",
     "variant",
     {},
     In2_6,
     "c10/util/variant.h"},
    {C::Name, "c10::visit", "std::visit", "variant", {}, In2_6, "c10/util/variant.h"},
    {C::Name, "c10::monostate", "std::monostate", "variant", {}, In2_6, "c10/util/variant.h"},
    {C::Name, "c10::in_place", "std::in_place", "utility", {}, In2_6, "c10/util/in_place.h"},
    {C::Name, "guts::to_string", "std::to_string", "string", {}, In2_6, Cpp17},
    {C::Name, "guts::make_unique", "std::make_unique", "memory", {}, In1_13, Cpp17},
    {C::Name, "guts::conjunction", "std::conjunction", "type_traits", {}, In2_6, Cpp17},
    {C::Name, "guts::disjunction", "std::disjunction", "type_traits", {}, In2_6, Cpp17},
    {C::Name, "guts::negation", "std::negation", "type_traits", {}, In2_6, Cpp17},
    {C::Name, "guts::void_t", "std::void_t", "type_traits", {}, In2_6, Cpp17},
    {C::Advice, "guts::if_constexpr", "write 'if constexpr'", "", {}, In2_6, Cpp17},

    {C::Call, "at::cholesky", "at::linalg_cholesky($1)", "", {}, In2_14, Linalg},
    {C::Call, "at::qr", "at::linalg_qr($1)", "", {}, In2_14, Linalg},
    {C::Advice,
     "at::solve",
     "call 'at::linalg_solve', whose arguments have another order",
     "",
     {},
     In1_13,
     Linalg},
    {C::Advice,
     "at::symeig",
     "call 'at::linalg_eigh', or 'at::linalg_eigvalsh'",
     "",
     {},
     In2_6,
     Linalg},
    {C::Advice,
     "at::eig",
     "call 'at::linalg_eig', whose results are complex",
     "",
     {},
     In1_13,
     Linalg},
    {C::Advice,
     "at::lstsq",
     "call 'at::linalg_lstsq', whose arguments have another order",
     "",
     {},
     In1_13,
     Linalg},
    {C::Advice,
     "at::gesv",
     "call 'at::linalg_solve', whose arguments have another order",
     "",
     {},
     In1_13,
     Linalg},
    {C::Advice, "at::rfft", "call 'at::fft_rfft' and 'at::view_as_real'", "", {}, In1_13, Linalg},
    {C::Advice,
     "at::irfft",
     "call 'at::view_as_complex' and 'at::fft_irfft'",
     "",
     {},
     In1_13,
     Linalg},
    {C::Advice,
     "torch::linalg",
     "call the function 'at::linalg_...' of the same name",
     "",
     {},
     In2_6,
     "torch/csrc/api/include/torch/linalg.h"},
    {C::Advice,
     "torch::getNumGPUs",
     "call 'torch::cuda::device_count()'",
     "",
     {},
     In1_13,
     "torch/csrc/api/include/torch/cuda.h"},
    {C::Advice,
     "at::CPUGenerator",
     "take 'std::optional<at::Generator>'; 'at::CPUGeneratorImpl' "
     "is what it holds",
     "",
     {},
     In1_13,
     "ATen/CPUGeneratorImpl.h"},
    {C::Advice,
     "at::CUDAGenerator",
     "take 'std::optional<at::Generator>'; 'at::CUDAGeneratorImpl' "
     "is what it holds",
     "",
     {},
     In1_13,
     "ATen/cuda/CUDAGeneratorImpl.h"},
};

/// Methods, and what is called of the context.
static const C OfMethods[] = {
    {C::Chain,
     "at::globalContext().getCurrentCUDAStream()",
     "at::cuda::getCurrentCUDAStream()",
     "ATen/cuda/CUDAContext.h",
     {},
     In1_13,
     Context},
    {C::Chain,
     "at::globalContext().getCurrentDeviceProperties()",
     "at::cuda::getCurrentDeviceProperties()",
     "ATen/cuda/CUDAContext.h",
     {},
     In1_13,
     Context},
    {C::Method, "at::Context::lazyInitCUDA", "lazyInitDevice(at::kCUDA)", "", In2_6, {}, Context},

    {C::Method, "at::Tensor::data", "data_ptr", "", V1_3, {}, Tensor},
    {C::Method, "at::Tensor::type", "scalar_type", "", V1_5, {}, Tensor},
    {C::Method, "at::Tensor::packed_accessor", "packed_accessor64", "", In1_13, {}, Tensor},
    {C::Method, "at::Tensor::toCFloat", "item<float>", "", {}, In1_13, Tensor},
    {C::Method, "at::Tensor::toCDouble", "item<double>", "", {}, In1_13, Tensor},
    {C::Method, "at::Tensor::toCInt", "item<int>", "", {}, In1_13, Tensor},
    {C::Method, "at::Tensor::toCLong", "item<int64_t>", "", {}, In1_13, Tensor},
    {C::Method, "c10::TensorOptions::is_variable", "", "", {}, In1_13, "c10/core/TensorOptions.h"},
    {C::Advice, "at::Tensor::is_variable", "every tensor is a variable: remove the call", "",
     In1_13, In2_14, Tensor},
};

llvm::ArrayRef<ApiChange> opsig::apiChanges() {
  static const std::vector<ApiChange> All = [] {
    std::vector<ApiChange> Out;
    for (llvm::ArrayRef<C> Part : {llvm::ArrayRef<C>(OfTHC), llvm::ArrayRef<C>(OfMacros),
                                   llvm::ArrayRef<C>(OfNames), llvm::ArrayRef<C>(OfMethods)})
      llvm::append_range(Out, Part);
    return Out;
  }();
  return All;
}

llvm::StringRef ApiChange::lastName() const {
  if (Is == Header)
    return From;
  llvm::StringRef Name = From.rtrim("()");
  return Name.substr(Name.find_last_of(":.") + 1);
}

const ApiChange *opsig::findApiChange(llvm::StringRef From) {
  auto It = llvm::find_if(apiChanges(), [&](const ApiChange &C) {
    if (C.From == From)
      return true;
    auto [Scope, Name] = C.From.split("::");
    auto [OtherScope, OtherName] = From.split("::");
    return !Name.empty() && Name == OtherName && isTorchScope(Scope) && isTorchScope(OtherScope);
  });
  return It == apiChanges().end() ? nullptr : &*It;
}

bool opsig::isTorchScope(llvm::StringRef Scope) {
  return Scope == "at" || Scope == "torch" || Scope == "c10";
}

llvm::StringRef ApiChange::scope() const {
  llvm::StringRef Before = From.drop_back(lastName().size());
  if (Is == Header || Is == Chain || !Before.consume_back("::"))
    return "";
  return Before.substr(Before.rfind(':') + 1);
}

unsigned opsig::requiredCppStandard(const VersionTuple &Release) {
  if (Release >= VersionTuple(2, 14))
    return 20;
  if (Release >= VersionTuple(2, 1))
    return 17;
  return 14;
}
