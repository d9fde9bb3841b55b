//===- Helpers.cpp - functions that rewritten code calls --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rules/StableInternal.h"
#include "opsig/Support/CodeTemplate.h"

using namespace opsig;
using namespace llvm;

namespace {

constexpr StringLiteral StreamText =
    R"(/// Returns the current CUDA stream of a device.
[[maybe_unused]] static cudaStream_t current_cuda_stream(int32_t device_index) {
  void *stream = nullptr;
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_current_cuda_stream(device_index, &stream));
  return static_cast<cudaStream_t>(stream);
})";

constexpr StringLiteral BlockText =
    R"(/// Like STABLE_TORCH_LIBRARY_IMPL, but the namespace may be a macro.
#define STABLE_TORCH_LIBRARY_IMPL_OF(ns, key, m) STABLE_TORCH_LIBRARY_IMPL(ns, key, m))";

constexpr StringLiteral LvalueText =
    R"(/// Lets a temporary tensor be passed as `Tensor &` to a function that writes into its memory.
[[maybe_unused]] static torch::stable::Tensor &lvalue_of(torch::stable::Tensor &&tensor) {
  return tensor;
})";

/// Properties of a device, which ${before} finds out.
constexpr StringLiteral PropertiesText =
    R"(/// Returns the properties of ${about}. Queries each device only once.
[[maybe_unused]] static cudaDeviceProp *${name}(${parameters}) {
  static std::mutex lock;
  static std::map<int, cudaDeviceProp> known;${before}
  std::lock_guard<std::mutex> guard(lock);
  auto found = known.find(device);
  if (found == known.end()) {
    cudaDeviceProp properties;
    STD_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
    found = known.emplace(device, properties).first;
  }
  return &found->second;
})";

/// The pointer into a tensor that an accessor of T has, once the tensor is what it is made for.
constexpr StringLiteral AccessorText =
    R"(/// Replaces Tensor::${method}.
template <${parameters}>
torch::headeronly::${class}
${name}(const torch::stable::Tensor &tensor) {${check}
  STD_TORCH_CHECK(tensor.dim() == static_cast<int64_t>(N), "expected a tensor with ", N,
                  " dimensions, but it has ", tensor.dim());
  T *data = nullptr;
  if constexpr (std::is_const_v<T>)
    data = tensor.template const_data_ptr<std::remove_const_t<T>>();
  else
    data = tensor.template mutable_data_ptr<T>();
  return {data, tensor.sizes().data(), tensor.strides().data()};
})";

constexpr StringLiteral PackedParameters = R"(typename T, size_t N,
          template <typename U> class PtrTraits = torch::headeronly::DefaultPtrTraits,
          typename index_t = int64_t)";

constexpr StringLiteral PackedCheck =
    R"(
  if constexpr (sizeof(index_t) < sizeof(int64_t))
    STD_TORCH_CHECK(tensor.numel() <= std::numeric_limits<index_t>::max(),
                    "the tensor has too many elements for 32 bits: ", tensor.numel());)";

constexpr StringLiteral CheckText =
    R"(/// Like STD_TORCH_CHECK, but throws ${exception}, which is ${class} in Python.
#define ${name}(cond, ...) \
  if (!(cond)) { \
    throw ${exception}(STD_TORCH_CHECK_MSG(cond, "", ##__VA_ARGS__)); \
  })";

/// Like at::TensorArg and the checks beside it: of several tensors those that are not defined are
/// passed over, and the others are compared with the first.
constexpr StringLiteral TensorArgText =
    R"code(/// A function argument, for checks whose errors name it. Replaces at::TensorArg.
struct ${name} {
  const torch::stable::Tensor &tensor;
  const char *name;
  int pos;

  StableTensorArg(const torch::stable::Tensor &tensor, const char *name, int pos)
      : tensor(tensor), name(name), pos(pos) {}
  StableTensorArg(torch::stable::Tensor &&tensor, const char *name, int pos) = delete;
  const torch::stable::Tensor *operator->() const { return &tensor; }
  const torch::stable::Tensor &operator*() const { return tensor; }

  using List = std::initializer_list<StableTensorArg>;

  static void defined(const char *c, const StableTensorArg &a) {
    a.require(c, a->defined(), "be defined");
  }
  static void contiguous(const char *c, const StableTensorArg &a) {
    a.require(c, a->is_contiguous(), "be contiguous");
  }
  static void has_dim(const char *c, const StableTensorArg &a, int64_t dim) {
    a.require(c, a->dim() == dim, "have this number of dimensions: ", dim);
  }
  static void has_numel(const char *c, const StableTensorArg &a, int64_t numel) {
    a.require(c, a->numel() == numel, "have this number of elements: ", numel);
  }
  static void has_scalar_type(const char *c, const StableTensorArg &a,
                              torch::headeronly::ScalarType type) {
    a.require(c, a->scalar_type() == type, "have the scalar type ", type);
  }
  static void same_type(const char *c, const StableTensorArg &a, const StableTensorArg &b) {
    b.require(c, a->scalar_type() == b->scalar_type() && a->layout() == b->layout() &&
                     a->device().type() == b->device().type(),
              "have the same type as ", a.name);
  }
  static void same_size(const char *c, const StableTensorArg &a, const StableTensorArg &b) {
    b.require(c, a->sizes() == b->sizes(), "have the same size as ", a.name);
  }
  static void same_dim(const char *c, const StableTensorArg &a, const StableTensorArg &b) {
    b.require(c, a->dim() == b->dim(), "have as many dimensions as ", a.name);
  }
  static void same_numel(const char *c, const StableTensorArg &a, const StableTensorArg &b) {
    b.require(c, a->numel() == b->numel(), "have as many elements as ", a.name);
  }
  static void same_gpu(const char *c, const StableTensorArg &a, const StableTensorArg &b) {
    a.require(c, !a->is_cpu(), "be on a GPU");
    b.require(c, !b->is_cpu(), "be on a GPU");
    b.require(c, a->get_device_index() == b->get_device_index(), "be on the same GPU as ", a.name);
  }
  static void all_defined(const char *c, List args) {
    for (const StableTensorArg &a : args)
      defined(c, a);
  }
  static void all_contiguous(const char *c, List args) {
    for (const StableTensorArg &a : args)
      if (a->defined())
        contiguous(c, a);
  }
  static void all_same_type(const char *c, List args) { all(c, args, same_type); }
  static void all_same_size(const char *c, List args) { all(c, args, same_size); }
  static void all_same_numel(const char *c, List args) { all(c, args, same_numel); }
  static void all_same_gpu(const char *c, List args) { all(c, args, same_gpu); }

private:
  template <typename... T> void require(const char *c, bool holds, const T &...what) const {
    STD_TORCH_CHECK(holds, "argument #", pos, " '", name, "' must ", what...,
                    " (while checking arguments for ", c, ")");
  }
  static void all(const char *c, List args,
                  void (*check)(const char *, const StableTensorArg &, const StableTensorArg &)) {
    const StableTensorArg *first = nullptr;
    for (const StableTensorArg &a : args) {
      if (!a->defined())
        continue;
      if (first)
        check(c, *first, a);
      else
        first = &a;
    }
  }
};)code";

constexpr StringLiteral ItemText =
    R"(/// Returns the only element of a tensor.
[[maybe_unused]] static ${type} ${name}(const torch::stable::Tensor &tensor) {
  ${type} value{};
  TORCH_ERROR_CODE_CHECK(aoti_torch_${name}(tensor.get(), &value));
  return value;
})";

struct HelperList {
  std::vector<KnownHelper> Helpers;

  void add(std::string Name, StringRef Text, std::vector<std::string> Headers,
           std::vector<TemplateValue> Values = {}) {
    KnownHelper New{{std::move(Name), ""}, std::move(Headers)};
    Values.push_back({"name", New.Helper.Name});
    CodeTemplate(Text).print(New.Helper.Text, Values, BlockLines::Keep);
    Helpers.push_back(std::move(New));
  }
};

HelperList allHelpers() {
  static constexpr StringLiteral Exception = "torch/headeronly/util/Exception.h",
                                 Shims = "torch/headeronly/util/shim_utils.h",
                                 Macros = "torch/csrc/stable/macros.h";
  HelperList All;
  All.add("current_cuda_stream", StreamText,
          {"torch/csrc/inductor/aoti_torch/c/shim.h", Shims.str()});
  All.add("STABLE_TORCH_LIBRARY_IMPL_OF", BlockText, {"torch/csrc/stable/library.h"});
  All.add("lvalue_of", LvalueText, {"torch/csrc/stable/tensor.h"});
  All.add("device_properties", PropertiesText, {Macros.str(), "map", "mutex"},
          {{"about", "a device"}, {"parameters", "int device"}});
  All.add("current_device_properties", PropertiesText, {Macros.str(), "map", "mutex"},
          {{"about", "the current device"},
           {"before", "\n  int device = 0;\n  STD_CUDA_CHECK(cudaGetDevice(&device));"}});
  All.add("accessor_of", AccessorText, {"limits", "type_traits"},
          {{"method", "accessor"},
           {"parameters", "typename T, size_t N"},
           {"class", "HeaderOnlyTensorAccessor<T, N>"}});
  All.add("packed_accessor_of", AccessorText, {"limits", "type_traits"},
          {{"method", "packed_accessor32 and similar methods"},
           {"parameters", PackedParameters},
           {"class", "HeaderOnlyGenericPackedTensorAccessor<T, N, PtrTraits, index_t>"},
           {"check", PackedCheck}});
  All.add("STABLE_CHECK_INDEX", CheckText, {Exception.str(), "stdexcept"},
          {{"exception", "std::out_of_range"}, {"class", "IndexError"}});
  All.add("STABLE_CHECK_VALUE", CheckText, {Exception.str(), "stdexcept"},
          {{"exception", "std::invalid_argument"}, {"class", "ValueError"}});
  All.add("StableTensorArg", TensorArgText,
          {Exception.str(), "torch/csrc/stable/tensor.h", "initializer_list"});
  for (auto [Shim, Type] :
       std::initializer_list<std::pair<StringRef, StringRef>>{{"float32", "float"},
                                                              {"float64", "double"},
                                                              {"int64", "int64_t"},
                                                              {"int32", "int32_t"},
                                                              {"int16", "int16_t"},
                                                              {"int8", "int8_t"},
                                                              {"uint8", "uint8_t"},
                                                              {"bool", "bool"}})
    All.add(("item_" + Shim).str(), ItemText, {Shims.str()}, {{"type", Type}});
  return All;
}

} // namespace

const KnownHelper *opsig::findHelper(StringRef Name) {
  static const HelperList All = allHelpers();
  for (const KnownHelper &Known : All.Helpers)
    if (Known.Helper.Name == Name)
      return &Known;
  return nullptr;
}
