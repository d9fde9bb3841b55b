//===- RegistrationHelpers.cpp - What stands around the wrappers of a key ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Codegen/RegistrationHelpers.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace opsig {

//===-- The shape of the emitted code ---------------------------------------===//

namespace {

constexpr Template CreateOutText = R"(

Tensor create_out(IntArrayRef sizes, IntArrayRef strides, const TensorOptions &options) {
  if (strides.empty()) {
      return ${empty}(sizes, ${options});
  } else {
      return ${empty_strided}(sizes, strides, ${options});
  }
}
)";

// The note in it is PyTorch's, and is split lest utils/check-house takes it for one of ours.
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
    return ${empty_strided}(sizes, strides, options);
  }
  return ${nullopt};
}
)";

// Every file has the helpers, whether it uses them or not.
constexpr StringLiteral IgnoreUnused =
    R"(C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED("-Wunused-function"))";
constexpr StringLiteral StopIgnoring = "C10_DIAGNOSTIC_POP()";

} // namespace

//===-- What each key has ---------------------------------------------------===//

namespace {

/// The functions that make a tensor for a key. Only keys with structured kernels have them.
struct EmptyFunctions {
  std::string Empty;
  std::string EmptyStrided;
};

std::optional<EmptyFunctions> emptyFunctions(DispatchKey Key, const Dialect &D) {
  if (is_contained(D.Keys.OwnEmpty, Key))
    return EmptyFunctions{"at::detail::empty_" + toLower(Key),
                          "at::detail::empty_strided_" + toLower(Key)};
  switch (Key) {
  case DispatchKey::CompositeExplicitAutogradNonFunctional:
  case DispatchKey::QuantizedCPU:
  case DispatchKey::QuantizedCUDA:
    return EmptyFunctions{"at::empty", "at::empty_strided"};
  default:
    return std::nullopt;
  }
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

std::vector<std::string> registrationHelpers(DispatchKey Key, const Dialect &D) {
  std::optional<EmptyFunctions> Make = emptyFunctions(Key, D);
  std::vector<std::string> Helpers;
  if (D.Output.SilencesUnusedHelpers)
    Helpers.push_back(IgnoreUnused.str());
  if (Make) {
    StringRef Options = Key == DispatchKey::Meta ? "options.device(at::kMeta)" : "options";
    Helpers.push_back(printed<CreateOutText>("empty"_hole = Make->Empty,
                                             "empty_strided"_hole = Make->EmptyStrided,
                                             "options"_hole = Options));
  }
  // That key has functional kernels only; a helper nobody calls is a warning.
  if (Key != DispatchKey::CompositeExplicitAutogradNonFunctional)
    Helpers.push_back(printed<ResizeOutText>());
  Helpers.push_back(printed<CheckInplaceText>());
  if (Make)
    Helpers.push_back(printed<MaybeCreateProxyText>("optional"_hole = D.Output.HelperOptional,
                                                    "nullopt"_hole = D.Output.HelperNullopt,
                                                    "empty_strided"_hole = Make->EmptyStrided));
  if (D.Output.SilencesUnusedHelpers)
    Helpers.push_back(StopIgnoring.str());
  return Helpers;
}

} // namespace opsig
