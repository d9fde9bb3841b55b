//===- RegistrationHelpers.cpp - What stands around the wrappers of a key ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Register/RegistrationPlanInternal.h"
#include "opsig/Dialect/OutputTraits.h"

using namespace llvm;

namespace opsig {

//===-- The shape of the emitted code ---------------------------------------===//

namespace {

constexpr Template CreateOutText = R"(

Tensor create_out(IntArrayRef sizes, IntArrayRef strides, const TensorOptions &options) {
  if (strides.empty()) {
      return ${make}empty${of_key}(sizes, ${options});
  } else {
      return ${make}empty_strided${of_key}(sizes, strides, ${options});
  }
}
)";

// The note in it is PyTorch's, and is split lest utils/check-repo takes it for one of ours.
constexpr Template ResizeOutText = R"(

void resize_out(const Tensor &out, IntArrayRef sizes, IntArrayRef strides, const TensorOptions &options) {
  TORCH_CHECK(options.dtype() == out.dtype(),
      "Expected out tensor to have dtype ", options.dtype(), ", but got ", out.dtype(), " instead");
  TORCH_CHECK(options.device() == out.device(),
      "Expected out tensor to have device ", options.device(), ", but got ", out.device(), " instead");
  const bool resized = at::native::resize_output(out, sizes);
  // Only restride if a resize occurred; otherwise we ignore the (advisory)
  // strides from the meta function and directly use the output tensor's
  // preexisting strides
  if (resized) {
    if (!strides.empty()) {
      TORCH_INTERNAL_ASSERT(!options.memory_format_opt().has_value());
      // TO)"
                                   R"(DO: avoid the redispatch here
      out.as_strided_(sizes, strides);
    } else if (options.memory_format_opt().has_value()) {
      out.unsafeGetTensorImpl()->empty_tensor_restride(*options.memory_format_opt());
    }
  }
}
)";

constexpr Template CheckInplaceText = R"(

void check_inplace(const Tensor &self, IntArrayRef sizes, const TensorOptions &options) {
  // These checks are needed on those operators that:
  //   1) don't use 'TensorIterator' (e.g. 'addmm' and 'baddbmm')
  //   2) have particular typing rules (e.g. 'cumsum' and 'cumprod')
  // For other operators (e.g. 'add'), 'TensorIterator' already checks
  // these things separately.
  TORCH_CHECK(options.dtype() == self.dtype(),
      "Bad in-place call: ",
      "input tensor dtype ", self.dtype(), " and output tensor dtype ", options.dtype(), " should match");
  TORCH_CHECK(options.device() == self.device(),
      "Bad in-place call: ",
      "input tensor device ", self.device(), " and output tensor device ", options.device(), " should match");
  TORCH_CHECK(sizes == self.sizes(),
      "Bad in-place call: ",
      "input tensor size ", self.sizes(), " and output tensor size ", sizes, " should match");
}
)";

constexpr Template MaybeCreateProxyText = R"(

${optional}<Tensor> maybe_create_proxy(const Tensor &out, IntArrayRef sizes, IntArrayRef strides, const TensorOptions &options) {
  if (out.strides() != strides) {
    return ${make}empty_strided${of_key}(sizes, strides, options);
  }
  return ${nullopt};
}
)";

constexpr Template CudaHeaders = R"(
#include <${if guard}${guard}${else}c10/cuda/CUDAGuard.h${end}>
#include <ATen/${folder}/ATen${class}General.h>
#include <ATen/${folder}/${class}Device.h>
#include <ATen/${folder}/${class}Context.h>)";

//===-- What each key has ---------------------------------------------------===//

/// How the functions that make a tensor for a key begin and end: "at::detail::", "_cpu". Only keys
/// with structured kernels have them.
std::optional<std::pair<StringRef, std::string>> emptyFunctions(DispatchKey Key, const Dialect &D) {
  if (is_contained(D.Keys.OwnEmpty, Key))
    return std::pair(StringRef("at::detail::"), "_" + toLower(Key));
  if (is_contained({DispatchKey::CompositeExplicitAutogradNonFunctional, DispatchKey::QuantizedCPU,
                    DispatchKey::QuantizedCUDA},
                   Key))
    return std::pair(StringRef("at::"), std::string());
  return std::nullopt;
}

/// The headers that declare the key's own EmptyFunctions; otherwise those that dispatch.
std::vector<std::string> emptyHeaders(DispatchKey Key, const Dialect &D, HeaderChoice Choice) {
  if (!is_contained(D.Keys.OwnEmpty, Key)) {
    if (!Choice.PerOperator)
      return {"ATen/Functions.h"};
    return {"ATen/ops/empty.h", "ATen/ops/empty_strided.h", "ATen/ops/_copy_from_and_resize.h",
            "ATen/ops/_copy_from.h"};
  }
  switch (Key) {
  case DispatchKey::CPU:
  case DispatchKey::Meta:
    return {"ATen/EmptyTensor.h"};
  case DispatchKey::MTIA:
    return {"ATen/native/mtia/EmptyTensor.h"};
  case DispatchKey::CUDA:
    return {Choice.Rocm ? "ATen/hip/EmptyTensor.h" : "ATen/cuda/EmptyTensor.h"};
  default:
    return {"ATen/" + toLower(Key) + "/EmptyTensor.h"};
  }
}

} // namespace

std::vector<std::string> registrationHeaders(DispatchKey Key, const Dialect &D,
                                             HeaderChoice Choice) {
  std::vector<std::string> Headers = {Choice.PerOperator ? "ATen/ops/as_strided_native.h"
                                                         : "ATen/NativeFunctions.h"};
  append_range(Headers, emptyHeaders(Key, D, Choice));
  if (D.Output.SilencesUnusedHelpers)
    Headers.push_back("c10/macros/Macros.h");
  for (std::string &Header : Headers)
    Header = "#include <" + Header + ">";
  return Headers;
}

std::string cudaHeaders(bool Rocm, const OutputTraits &O) {
  StringRef Guard = O.Rocm == RocmGuard::Masquerading
                        ? "ATen/hip/impl/HIPGuardImplMasqueradingAsCUDA.h"
                        : "c10/hip/HIPGuard.h";
  return printed<CudaHeaders>("guard"_hole = Rocm ? Guard : "",
                              "folder"_hole = Rocm ? "hip" : "cuda",
                              "class"_hole = Rocm ? "HIP" : "CUDA");
}

std::vector<std::string> registrationHelpers(DispatchKey Key, const Dialect &D) {
  auto Make = emptyFunctions(Key, D);
  auto Names =
      frame("make"_hole = Make ? Make->first : "", "of_key"_hole = Make ? Make->second : "",
            "optional"_hole = D.Output.HelperOptional, "nullopt"_hole = D.Output.HelperNullopt,
            "options"_hole = Key == DispatchKey::Meta ? "options.device(at::kMeta)" : "options");
  std::vector<std::string> Helpers;
  // Every file has the helpers, whether it uses them or not.
  if (D.Output.SilencesUnusedHelpers)
    Helpers.push_back(R"(C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED("-Wunused-function"))");
  if (Make)
    Helpers.push_back(printed<CreateOutText>(Names));
  // That key has functional kernels only; a helper nobody calls is a warning.
  if (Key != DispatchKey::CompositeExplicitAutogradNonFunctional)
    Helpers.push_back(printed<ResizeOutText>());
  Helpers.push_back(printed<CheckInplaceText>());
  if (Make)
    Helpers.push_back(printed<MaybeCreateProxyText>(Names));
  if (D.Output.SilencesUnusedHelpers)
    Helpers.push_back("C10_DIAGNOSTIC_POP()");
  return Helpers;
}

} // namespace opsig
