//===- StableRules.cpp - The names of PyTorch's API that have a stable one ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which name stands for which is read from the headers of both: that of the stable ABI is the same
// class, or made after it.
//
//===----------------------------------------------------------------------===//
#include "Rules/RuleTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using llvm::StringRef;

#define GUARD "torch::stable::accelerator::DeviceGuard"
#define ACCESSOR "torch::headeronly::HeaderOnlyGenericPackedTensorAccessor"
#define SCALAR_TYPE "torch::headeronly::ScalarType::"
#define DEVICE_TYPE "torch::headeronly::DeviceType::"
#define STREAM "torch::stable::accelerator::"

#define TENSOR_ARG "torch::stable::Tensor::layout torch::stable::Tensor::device STD_TORCH_CHECK"

static constexpr StableRule Types[] = {
    // torch/csrc/stable: classes of the same purpose
    {"Tensor", "torch::stable::Tensor"},
    {"TensorBase", "torch::stable::Tensor"},
    {"Device", "torch::stable::Device"},
    {"Generator", "torch::stable::Generator"},
    {"DeviceGuard", GUARD},
    {"OptionalDeviceGuard", GUARD},
    {"cuda::CUDAGuard", GUARD},
    {"cuda::OptionalCUDAGuard", GUARD},
    {"DeviceIndex", "torch::stable::accelerator::DeviceIndex"},
    {"TensorList", "torch::headeronly::HeaderOnlyArrayRef<torch::stable::Tensor>"},
    {"ITensorListRef", "torch::headeronly::HeaderOnlyArrayRef<torch::stable::Tensor>"},
    // torch/headeronly: the same classes under other names
    {"Dtype", "torch::headeronly::ScalarType"},
    {"IntArrayRef", "torch::headeronly::IntHeaderOnlyArrayRef"},
    {"ArrayRef", "torch::headeronly::HeaderOnlyArrayRef"},
    {"TensorAccessor", "torch::headeronly::HeaderOnlyTensorAccessor"},
    {"GenericPackedTensorAccessor", ACCESSOR},
    {"PackedTensorAccessor", ACCESSOR},
    {"PackedTensorAccessor64", ACCESSOR},
    {"PackedTensorAccessor32<>", ACCESSOR "<$T>"},
    // For compilers of CUDA alone: nobody else has it before, either.
    {"RestrictPtrTraits", "torch::headeronly::RestrictPtrTraits",
     "= torch::headeronly::DefaultPtrTraits"},
    {"cuda::CUDAStream", "cudaStream_t"},
    {"TensorArg", "StableTensorArg", TENSOR_ARG},
    {"CheckedFrom", "const char *", "", "", "", "const char *"},
    // what became part of the language's library
    {"optional", "std::optional"},
    {"nullopt_t", "std::nullopt_t"},
    {"string_view", "std::string_view"},
};

static constexpr SameNames SameTypes[] = {
    {"", "torch::headeronly::",
     "ScalarType DeviceType Layout MemoryFormat Half BFloat16 Float8_e4m3fn Float8_e4m3fnuz "
     "Float8_e5m2 Float8_e5m2fnuz Float8_e8m0fnu complex CppTypeToScalarType DefaultPtrTraits"}};

static constexpr StableRule Constants[] = {
    {"nullopt", "std::nullopt"},       {"in_place", "std::in_place", "<optional>"},
    {"kUInt8", SCALAR_TYPE "Byte"},    {"kInt8", SCALAR_TYPE "Char"},
    {"kInt16", SCALAR_TYPE "Short"},   {"kInt32", SCALAR_TYPE "Int"},
    {"kInt64", SCALAR_TYPE "Long"},    {"kFloat16", SCALAR_TYPE "Half"},
    {"kFloat32", SCALAR_TYPE "Float"}, {"kFloat64", SCALAR_TYPE "Double"},
};

static constexpr SameNames SameConstants[] = {
    {"k", SCALAR_TYPE,
     "Byte Char Short Int Long Half Float Double Bool BFloat16 UInt16 UInt32 UInt64 ComplexHalf "
     "ComplexFloat ComplexDouble Float8_e4m3fn Float8_e4m3fnuz Float8_e5m2 Float8_e5m2fnuz "
     "Float8_e8m0fnu"},
    {"k", DEVICE_TYPE, "CPU CUDA HIP XPU MPS Meta XLA HPU MTIA IPU PrivateUse1 Vulkan"},
    {"k", "torch::headeronly::Layout::",
     "Strided Sparse SparseCsr Mkldnn SparseCsc SparseBsr SparseBsc Jagged"},
};

static constexpr StableRule Macros[] = {
    {"TORCH_LIBRARY", "STABLE_TORCH_LIBRARY"},
    {"TORCH_LIBRARY_FRAGMENT", "STABLE_TORCH_LIBRARY_FRAGMENT"},
    {"TORCH_LIBRARY_IMPL", "STABLE_TORCH_LIBRARY_IMPL"},
    {"TORCH_CHECK", "STD_TORCH_CHECK"},
    {"TORCH_CHECK_NOT_IMPLEMENTED", "STD_TORCH_CHECK", "",
     "it now raises RuntimeError instead of NotImplementedError"},
    {"TORCH_CHECK_TYPE", "STD_TORCH_CHECK", "", "it now raises RuntimeError instead of TypeError"},
    {"TORCH_CHECK_LINALG", "STD_TORCH_CHECK", "",
     "it now raises RuntimeError instead of LinAlgError"},
    {"TORCH_INTERNAL_ASSERT", "STD_TORCH_CHECK"},
    {"AT_ASSERT", "STD_TORCH_CHECK"},
    {"AT_ASSERTM", "STD_TORCH_CHECK"},
    {"C10_CUDA_CHECK", "STD_CUDA_CHECK"},
    {"AT_CUDA_CHECK", "STD_CUDA_CHECK"},
    {"C10_CUDA_KERNEL_LAUNCH_CHECK", "STD_CUDA_KERNEL_LAUNCH_CHECK"},
    {"AT_DISPATCH_V2", "THO_DISPATCH_V2"},
    {"AT_DISPATCH_SWITCH", "THO_DISPATCH_SWITCH"},
    {"AT_DISPATCH_CASE", "THO_DISPATCH_CASE"},
    {"AT_PRIVATE_CASE_TYPE_USING_HINT", "THO_PRIVATE_CASE_TYPE_USING_HINT"},
    // Python makes an IndexError of the one exception, and a ValueError of the other.
    {"TORCH_CHECK_INDEX", "STABLE_CHECK_INDEX"},
    {"TORCH_CHECK_VALUE", "STABLE_CHECK_VALUE"},
    {"C10_THROW_ERROR(IndexError, $2)", "throw std::out_of_range($2)", "", "", "std::out_of_range"},
    {"C10_THROW_ERROR(ValueError, $2)", "throw std::invalid_argument($2)", "", "",
     "std::invalid_argument"},
    {"C10_THROW_ERROR($1, $2)", "STD_TORCH_CHECK(false, $2)", "",
     "it now always raises RuntimeError"},
    {"AT_ERROR()", "STD_TORCH_CHECK(false)"},
    {"AT_ERROR($*)", "STD_TORCH_CHECK(false, $*)"},
    {"TORCH_ERROR()", "STD_TORCH_CHECK(false)"},
    {"TORCH_ERROR($*)", "STD_TORCH_CHECK(false, $*)"},
    {"TORCH_CHECK_EQ($1, $2, $*)", "STD_TORCH_CHECK($1 == $2)"},
    {"TORCH_CHECK_NE($1, $2, $*)", "STD_TORCH_CHECK($1 != $2)"},
    {"TORCH_CHECK_LE($1, $2, $*)", "STD_TORCH_CHECK($1 <= $2)"},
    {"TORCH_CHECK_LT($1, $2, $*)", "STD_TORCH_CHECK($1 < $2)"},
    {"TORCH_CHECK_GE($1, $2, $*)", "STD_TORCH_CHECK($1 >= $2)"},
    {"TORCH_CHECK_GT($1, $2, $*)", "STD_TORCH_CHECK($1 > $2)"},
    {"TORCH_WARN(\"$1\")", "aoti_torch_warn(__func__, __FILE__, __LINE__, $1)"},
    {"TORCH_WARN_ONCE(\"$1\")", "aoti_torch_warn(__func__, __FILE__, __LINE__, $1)", "",
     "it now warns each time instead of once"},
    {"TORCH_SELECTIVE_SCHEMA($*)", "$*", "", "", "", "the string"},
    {"TORCH_SELECTIVE_NAME($*)", "$*", "", "", "", "the string"},
    {"C10_LOG_API_USAGE_ONCE($*);", "", "", "PyTorch's usage log no longer counts these calls", "",
     "nothing"},
};

#define TO "torch::stable::to($x, "

#define ITEM(SHIM) "item_" SHIM "($x)", "aoti_torch_item_" SHIM, "", "aoti_torch_item_" SHIM

static constexpr StableRule Methods[] = {
    {"Tensor.dtype", "scalar_type", "torch::stable::Tensor::scalar_type"},
    {"Tensor.ndimension", "dim", "torch::stable::Tensor::dim"},
    {"Tensor.itemsize", "element_size", "torch::stable::Tensor::element_size"},
    {"Tensor.cpu()", TO "torch::stable::Device(" DEVICE_TYPE "CPU))"},
    {"Tensor.cuda()", TO "torch::stable::Device(" DEVICE_TYPE "CUDA))"},
    {"Tensor.new_empty($1, Like)", "torch::stable::new_empty($l, $1$p)"},
    {"Tensor.new_empty($1, $*)", "torch::stable::new_empty($x, $1$p)"},
    {"Tensor.new_zeros($1, Like)", "torch::stable::new_zeros($l, $1$p)"},
    {"Tensor.new_zeros($1, $*)", "torch::stable::new_zeros($x, $1$p)"},
    {"Tensor.new_ones($1, Like)", "torch::stable::full($1, 1$q)"},
    {"Tensor.new_ones($1, $*)", "torch::stable::full($1, 1$Q)"},
    {"Tensor.new_full($1, $2, Like)", "torch::stable::full($1, $2$q)"},
    {"Tensor.new_full($1, $2, $*)", "torch::stable::full($1, $2$Q)"},
    {"Tensor.to(Options)", "torch::stable::to($x$q)"},
    {"Tensor.to(Device $1, Dtype $2)", TO "$2, std::nullopt, $1)"},
    {"Tensor.to(Device $1, Dtype $2, $3)", TO "$2, std::nullopt, $1, std::nullopt, $3)"},
    {"Tensor.to(Device $1, Dtype $2, $*)", ""},
    {"Tensor.to(Device $1, $*)", TO "$*)"},
    {"Tensor.to(DeviceType $1, Dtype $2)", TO "$2, std::nullopt, $1)"},
    {"Tensor.to(DeviceType $1, Dtype $2, $3)", TO "$2, std::nullopt, $1, std::nullopt, $3)"},
    {"Tensor.to(DeviceType $1, Dtype $2, $*)", ""},
    {"Tensor.to(DeviceType $1)", TO "torch::stable::Device($1))"},
    {"Tensor.to(DeviceType $1, $*)", TO "torch::stable::Device($1), $2*)"},
    {"Tensor.to(Dtype $1)", TO "$1)"},
    {"Tensor.to(Dtype $1, $*)", TO "$1, std::nullopt, std::nullopt, std::nullopt, $2*)"},
    {"Tensor.to($*)", "", "", "pass dtype and device separately"},
    {"Tensor.t()", "torch::stable::transpose($x, 0, 1)", "",
     "t() also accepts a tensor with one dimension, but torch::stable::transpose does not"},
    {"Tensor.operator[]($1, $2)", "torch::stable::select($1, 0, $2)"},
    {"Tensor.is_sparse()", "($o$.layout() == torch::headeronly::Layout::Sparse)",
     "torch::stable::Tensor::layout", "", "layout()"},
    {"Tensor.nbytes()", "($o$.numel() * $o$.element_size())", "", "", "numel() * element_size()"},
    {"Tensor.accessor<>()", "accessor_of<$t>($x)",
     "torch::headeronly::HeaderOnlyTensorAccessor torch::stable::Tensor::mutable_data_ptr "
     "STD_TORCH_CHECK"},
    {"Tensor.packed_accessor32<>()", "packed_accessor_of<$T>($x)",
     ACCESSOR " torch::stable::Tensor::mutable_data_ptr STD_TORCH_CHECK"},
    {"Tensor.packed_accessor64<>()", "packed_accessor_of<$t>($x)",
     ACCESSOR " torch::stable::Tensor::mutable_data_ptr STD_TORCH_CHECK"},
    {"Tensor.packed_accessor<>()", "packed_accessor_of<$t>($x)",
     ACCESSOR " torch::stable::Tensor::mutable_data_ptr STD_TORCH_CHECK"},
    {"Tensor.generic_packed_accessor<>()", "packed_accessor_of<$t>($x)",
     ACCESSOR " torch::stable::Tensor::mutable_data_ptr STD_TORCH_CHECK"},
    {"Tensor.item<float>()", ITEM("float32")},
    {"Tensor.item<double>()", ITEM("float64")},
    {"Tensor.item<int64_t>()", ITEM("int64")},
    {"Tensor.item<long>()", ITEM("int64")},
    {"Tensor.item<int>()", ITEM("int32")},
    {"Tensor.item<int32_t>()", ITEM("int32")},
    {"Tensor.item<int16_t>()", ITEM("int16")},
    {"Tensor.item<int8_t>()", ITEM("int8")},
    {"Tensor.item<uint8_t>()", ITEM("uint8")},
    {"Tensor.item<bool>()", ITEM("bool")},
    // `x.item().toInt()`: the object is x.
    {"Tensor.item.toFloat()", ITEM("float32")},
    {"Tensor.item.toDouble()", ITEM("float64")},
    {"Tensor.item.toLong()", ITEM("int64")},
    {"Tensor.item.toInt()", ITEM("int32")},
    {"Tensor.item.toBool()", ITEM("bool")},
    {"cuda::CUDAStream.stream()", "$o", "", "", "", "the handle itself"},
    {"cuda::CUDAStream.synchronize()", "STD_CUDA_CHECK(cudaStreamSynchronize($x))", "", "",
     "cudaStreamSynchronize"},
};

#define NEW_EMPTY "torch::stable::new_empty($l, "
#define NEW_ZEROS "torch::stable::new_zeros($l, "
#define TYPED ", $d, std::nullopt, $v)"
#define CONTIGUOUS "the new tensor is contiguous, whatever the strides of the old one"

static constexpr StableRule Functions[] = {
    // Never the null stream, which would wait for no one.
    {"cuda::getCurrentCUDAStream()",
     "static_cast<cudaStream_t>(" STREAM "getCurrentStream(" STREAM
     "getCurrentDeviceIndex()).nativeHandle())",
     "+ " STREAM "Stream::nativeHandle", "", STREAM "getCurrentStream"},
    {"cuda::getCurrentCUDAStream($1)",
     "static_cast<cudaStream_t>(" STREAM "getCurrentStream($1).nativeHandle())",
     "+ " STREAM "Stream::nativeHandle", "", STREAM "getCurrentStream"},
    {"cuda::getCurrentCUDAStream()", "current_cuda_stream(" STREAM "getCurrentDeviceIndex())",
     "aoti_torch_get_current_cuda_stream", "", "aoti_torch_get_current_cuda_stream"},
    {"cuda::getCurrentCUDAStream($1)", "current_cuda_stream($1)",
     "aoti_torch_get_current_cuda_stream", "", "aoti_torch_get_current_cuda_stream"},
    {"cuda::getCurrentDeviceProperties()", "current_device_properties()", "", "",
     "cudaGetDeviceProperties"},
    {"cuda::getDeviceProperties($1)", "device_properties($1)", "", "", "cudaGetDeviceProperties"},
    {"device_of($1)", "$1.get_device_index()", "torch::stable::Tensor::get_device_index", "",
     "get_device_index"},
    {"elementSize($1)", "torch::stable::empty({0}, $1).element_size()", "", "", "element_size"},
    {"empty($1)", "torch::stable::empty($1)"},
    {"empty($1, Like)", NEW_EMPTY "$1$p)"},
    {"empty($1, Options)", "torch::stable::empty($1$p)"},
    {"zeros($1)", "torch::stable::full($1, 0)"},
    {"zeros($1, Like)", NEW_ZEROS "$1$p)"},
    {"zeros($1, Options)", "torch::stable::full($1, 0$p)"},
    {"ones($1)", "torch::stable::full($1, 1)"},
    {"ones($1, Like)", "torch::stable::full($1, 1$q)"},
    {"ones($1, Options)", "torch::stable::full($1, 1$p)"},
    {"full($1, $2, Like)", "torch::stable::full($1, $2$q)"},
    {"full($1, $2, Typed)", "torch::stable::full($1, $2$p)"},
    {"empty_like($1, Like)", NEW_EMPTY "$1.sizes()$p)", "", CONTIGUOUS},
    {"empty_like($1, Options)", "torch::stable::new_empty($1, $1.sizes()$p)", "", CONTIGUOUS},
    {"empty_like", "torch::stable::empty_like"},
    {"zeros_like($1)", "torch::stable::new_zeros($1, $1.sizes())", "", CONTIGUOUS},
    {"zeros_like($1, Like)", NEW_ZEROS "$1.sizes()$p)", "", CONTIGUOUS},
    {"zeros_like($1, Options)", "torch::stable::new_zeros($1, $1.sizes()$p)", "", CONTIGUOUS},
    {"ones_like($1, $*)", "torch::stable::full($1.sizes(), 1" TYPED, "", CONTIGUOUS},
    {"full_like($1, $2, $*)", "torch::stable::full($1.sizes(), $2" TYPED, "", CONTIGUOUS},
    {"checkDefined", "StableTensorArg::defined", TENSOR_ARG},
    {"checkAllDefined", "StableTensorArg::all_defined", TENSOR_ARG},
    {"checkContiguous", "StableTensorArg::contiguous", TENSOR_ARG},
    {"checkAllContiguous", "StableTensorArg::all_contiguous", TENSOR_ARG},
    {"checkScalarType", "StableTensorArg::has_scalar_type", TENSOR_ARG},
    {"checkNumel", "StableTensorArg::has_numel", TENSOR_ARG},
    {"checkSameType", "StableTensorArg::same_type", TENSOR_ARG},
    {"checkAllSameType", "StableTensorArg::all_same_type", TENSOR_ARG},
    {"checkSameSize", "StableTensorArg::same_size", TENSOR_ARG},
    {"checkAllSameSize", "StableTensorArg::all_same_size", TENSOR_ARG},
    {"checkSameNumel", "StableTensorArg::same_numel", TENSOR_ARG},
    {"checkAllSameNumel", "StableTensorArg::all_same_numel", TENSOR_ARG},
    {"checkSameDim", "StableTensorArg::same_dim", TENSOR_ARG},
    {"checkSameGPU", "StableTensorArg::same_gpu", TENSOR_ARG},
    {"checkAllSameGPU", "StableTensorArg::all_same_gpu", TENSOR_ARG},
    {"checkDim($1, $2, $3)", "StableTensorArg::has_dim($1, $2, $3)", TENSOR_ARG},
    {"make_optional", "std::make_optional"},
    {"make_optional<>", "std::make_optional"},
};

/// Of two tensors.
static constexpr StableRule OfOperators[] = {
    {"operator-($1, $2)", "torch::stable::subtract($1, $2)"},
    {"operator&($1, $2)", "torch::stable::bitwise_and($1, $2)"},
    {"operator|($1, $2)", "torch::stable::bitwise_or($1, $2)"},
};

static constexpr std::pair<StringRef, StringRef> Overloads[] = {
    {"operator*", "mul.Tensor"}, {"operator/", "div.Tensor"}, {"operator==", "eq.Tensor"},
    {"operator!=", "ne.Tensor"}, {"operator<", "lt.Tensor"},  {"operator<=", "le.Tensor"},
    {"operator>", "gt.Tensor"},  {"operator>=", "ge.Tensor"},
};

#define ACCESSORS                                                                                  \
  "torch/headeronly/core/TensorAccessor.h has accessors that you construct from a pointer, "
#define NARROW                                                                                     \
  "use torch::stable::narrow with a start and a length, or torch::stable::select with an index"
#define SYMBOLS "take an int64_t; compilers then cannot trace symbolic sizes through the operator"

static constexpr std::pair<StringRef, StringRef> Advice[] = {
    {"Scalar",
     "take a double, an int64_t or a bool, and define an operator for each type that you need"},
    {"SymInt SymIntArrayRef SymFloat SymBool", SYMBOLS},
    {"TensorOptions", "pass dtype, layout and device separately"},
    {"Storage QScheme Stream",
     "opsig has no replacement for this type; pass tensors or plain values instead"},
    {"index slice", NARROW},
    {"item", "copy the tensor to the CPU and read its data, or call the shim of its type, such as "
             "'aoti_torch_item_float32'"},
    {"accessor packed_accessor packed_accessor32 packed_accessor64 generic_packed_accessor",
     ACCESSORS "sizes and strides"},
    {"PYBIND11_MODULE", "define the functions as operators in a STABLE_TORCH_LIBRARY block"},
    {"storage unsafeGetTensorImpl getIntrusivePtr", "this is internal to PyTorch"},
};

llvm::ArrayRef<StableRule> opsig::stableRules(RuleTable Of) {
  static constexpr llvm::ArrayRef<StableRule> Tables[] = {Types,   Constants, Macros,
                                                          Methods, Functions, OfOperators};
  return Tables[unsigned(Of)];
}

llvm::ArrayRef<SameNames> opsig::sameNames(RuleTable Of) {
  if (Of == RuleTable::Types)
    return SameTypes;
  return Of == RuleTable::Constants ? llvm::ArrayRef<SameNames>(SameConstants)
                                    : llvm::ArrayRef<SameNames>();
}

bool opsig::isWordOf(StringRef List, StringRef Word) {
  return llvm::is_contained(llvm::split(List, ' '), Word);
}

std::string opsig::howInstead(StringRef Name) {
  for (auto [Names, Text] : Advice)
    if (isWordOf(Names, Name))
      return Text.str();
  return "";
}

StringRef opsig::overloadOf(StringRef Operator) {
  for (auto [Name, Overload] : Overloads)
    if (Name == Operator)
      return Overload;
  return "";
}
