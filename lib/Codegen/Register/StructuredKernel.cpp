//===- StructuredKernel.cpp - The class of a structured kernel --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Register/StructuredKernelInternal.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

//===-- The shape of the emitted code ---------------------------------------===//

namespace {

constexpr Template ClassText = R"(
struct ${class} final : public ${parent} {
    ${if inplace}${class}(Tensor& self) : outputs_{std::ref(self)} {}${end}
    ${if out}${class}(${out_params}) : outputs_{ ${out_refs} } {}${end}
    ${set_output_strided}
    ${set_output_raw_strided}
    const Tensor& maybe_get_output(int64_t output_idx) override {
      return ${output};
    }
    std::array<${holder}, ${count}> outputs_;
    ${if proxy}std::array<${optional}<${proxy}>, ${count}> proxy_outputs_;${end}
    ${if guard}${guard} guard_;${end}
};
)";

constexpr Template SetOutputText = R"(
void set_output_${which}(
    int64_t output_idx, IntArrayRef sizes, IntArrayRef strides,
    TensorOptions options${if names}, DimnameList names${end}
) override {
    ${if sets_guard}
    auto current_device = guard_.current_device();
    if (C10_UNLIKELY(current_device.has_value())) {
      TORCH_INTERNAL_ASSERT(*current_device == options.device(),
        "structured kernels don't support multi-device outputs");
    } else {
      guard_.reset_device(options.device());
    }
    ${end}
    ${if functional}
    outputs_[output_idx] = create_out(sizes, strides, options);
    ${else}
    const auto& out = outputs_[output_idx].get();
    ${if inplace}
    check_inplace(out, sizes, options);
    ${else}
    resize_out(out, sizes, strides, options);
    ${end}
    ${end}
    ${if proxy}
    auto maybe_proxy = maybe_create_proxy(out, sizes, strides, options);
    if (C10_UNLIKELY(maybe_proxy.has_value())) {
        proxy_outputs_[output_idx] = ${proxy};
    }
    ${end}
    ${if names}
    if (!names.empty()) {
      namedinference::propagate_names(${output}, names);
    }
    ${end}
    // super must happen after, so that downstream can use maybe_get_output
    // to retrieve the output
    ${if super}${super}::set_output_raw_strided(output_idx, sizes, strides, options${if names}, names${end});${end}
}
)";

} // namespace

//===-- Which classes there are ---------------------------------------------===//

bool isStructured(const NativeFunctionsGroup &G, const BackendIndex &Index) {
  if (!G.structured())
    return false;
  if (Index.Key == DispatchKey::Meta ||
      Index.Key == DispatchKey::CompositeExplicitAutogradNonFunctional)
    return true;
  const KernelEntry *Kernel = Index.kernel(G.primary(Index));
  return Kernel && Kernel->Structured;
}

namespace {

/// What its class and its parent are called, but for the kind at the class's end.
struct ClassNames {
  std::string Own;
  std::string Parent;
};

ClassNames classNames(const NativeFunctionsGroup &G, const BackendIndex &Index) {
  std::string Meta = "structured_" + structuredMetaName(G);
  if (Index.Key == DispatchKey::Meta)
    return {Meta + "_meta", "at::meta::" + Meta};
  if (Index.Key == DispatchKey::CompositeExplicitAutogradNonFunctional)
    return {Meta + "_default_backend", "at::meta::" + Meta};
  const KernelEntry &Kernel = *Index.kernel(G.primary(Index));
  std::string Class = "structured_" + Kernel.Kernel;
  return {Class, Kernel.CppNamespace + "::" + Class};
}

StructuredKernel::Then whatFollowsMeta(const BackendIndex &Index) {
  switch (Index.Key) {
  case DispatchKey::Meta:
    return StructuredKernel::Then::Nothing;
  case DispatchKey::CompositeExplicitAutogradNonFunctional:
    return StructuredKernel::Then::CallOut;
  default:
    return StructuredKernel::Then::Impl;
  }
}

} // namespace

std::vector<StructuredKernel> planStructuredKernels(const NativeFunctionsGroup &G,
                                                    const BackendIndex &Index) {
  ClassNames Names = classNames(G, Index);
  StructuredKernel::Then After = whatFollowsMeta(Index);
  std::vector<StructuredKernel> Kernels;
  for (const NativeFunction *F : G.functions())
    if (After != StructuredKernel::Then::CallOut || F->kind() != SchemaKind::Out)
      Kernels.push_back({&G, F, After, Names.Own + "_" + toString(F->kind()).str(), Names.Parent});
  return Kernels;
}

bool holdsPointers(const StructuredKernel &K, const Dialect &D) {
  return K.Function->kind() == SchemaKind::Functional &&
         D.Output.StructuredOutputs == OutputHolder::ExclusivelyOwned;
}

//===-- The parts of a class ------------------------------------------------===//

namespace {

/// The type of a tensor that the class makes itself.
StringRef ownedTensor(const Dialect &D) {
  return D.Output.StructuredOutputs == OutputHolder::ExclusivelyOwned
             ? "c10::ExclusivelyOwned<Tensor>"
             : "Tensor";
}

/// The guard that follows the device of the outputs, of keys whose devices are several.
StringRef guardType(DispatchKey Key, bool MasqueradingHip, const Dialect &D) {
  switch (Key) {
  case DispatchKey::CUDA:
    return MasqueradingHip ? "c10::hip::OptionalHIPGuardMasqueradingAsCUDA"
                           : "c10::cuda::OptionalCUDAGuard";
  case DispatchKey::CompositeExplicitAutogradNonFunctional:
  case DispatchKey::MPS:
  case DispatchKey::MTIA:
    return "c10::OptionalDeviceGuard";
  case DispatchKey::XPU:
    return D.Keys.XpuGuardsOutputs ? "c10::OptionalDeviceGuard" : "";
  default:
    return "";
  }
}

} // namespace

bool guardsOutputs(DispatchKey Key, const Dialect &D) {
  // MTIA has a guard that nothing sets.
  return !guardType(Key, /*MasqueradingHip=*/false, D).empty() && Key != DispatchKey::MTIA;
}

namespace {

enum class OutputStrides : uint8_t {
  Wanted, ///< a tensor with other strides is written to through a proxy
  Any,
};

void setOutput(std::string &To, const StructuredKernel &K, OutputStrides Strides, DispatchKey Key,
               const Dialect &D) {
  SchemaKind Kind = K.Function->kind();
  StringRef Moved = "std::move(maybe_proxy).value()";
  std::string Proxy;
  if (Strides == OutputStrides::Wanted && Kind != SchemaKind::Functional)
    Proxy = D.Output.StructuredOutputs == OutputHolder::Plain
                ? Moved.str()
                : (ownedTensor(D) + "(" + Moved + ")").str();
  print<SetOutputText>(
      To, "which"_hole = Strides == OutputStrides::Wanted ? "strided" : "raw_strided",
      "sets_guard"_hole = guardsOutputs(Key, D), "functional"_hole = Kind == SchemaKind::Functional,
      "inplace"_hole = Kind == SchemaKind::Inplace, "proxy"_hole = Proxy,
      "names"_hole = D.Output.NamesOutputDimensions,
      "output"_hole = holdsPointers(K, D) ? "*outputs_[output_idx]" : "outputs_[output_idx]",
      "super"_hole = K.Group->Out->StructuredInherits.empty() ? "" : StringRef(K.ParentClass));
}

/// Output number output_idx: a member of functional kernels, of others a reference to an argument,
/// which may have a proxy.
std::string outputText(const StructuredKernel &K, const Dialect &D) {
  if (K.Function->kind() == SchemaKind::Functional)
    return holdsPointers(K, D) ? "*outputs_[output_idx]" : "outputs_[output_idx]";
  StringRef Deref = D.Output.StructuredOutputs == OutputHolder::Plain ? "*" : "**";
  return ("proxy_outputs_[output_idx].has_value() ? " + Deref +
          "proxy_outputs_[output_idx] : outputs_[output_idx].get()")
      .str();
}

} // namespace

std::string structuredClass(const StructuredKernel &K, const BackendIndex &Index, bool Rocm,
                            const Dialect &D) {
  SchemaKind Kind = K.Function->kind();
  bool Functional = Kind == SchemaKind::Functional;
  std::vector<std::string> Params, Refs;
  for (size_t I = 0, N = K.Function->Schema.Returns.size(); I != N; ++I) {
    Params.push_back("Tensor& out" + std::to_string(I));
    Refs.push_back("std::ref(out" + std::to_string(I) + ")");
  }
  auto SetOutput = [&](OutputStrides Strides) {
    return [&, Strides](std::string &To) { setOutput(To, K, Strides, Index.Key, D); };
  };
  return printed<ClassText>(
      "class"_hole = K.ClassName, "parent"_hole = K.ParentClass,
      "inplace"_hole = Kind == SchemaKind::Inplace, "out"_hole = Kind == SchemaKind::Out,
      "out_params"_hole = Params, "out_refs"_hole = Refs,
      "set_output_strided"_hole = SetOutput(OutputStrides::Wanted),
      "set_output_raw_strided"_hole = SetOutput(OutputStrides::Any),
      "output"_hole = outputText(K, D),
      "holder"_hole = Functional ? ownedTensor(D) : "std::reference_wrapper<Tensor>",
      "count"_hole = std::to_string(Params.size()), "optional"_hole = D.Spelling.Optional,
      "proxy"_hole = Functional ? "" : ownedTensor(D),
      "guard"_hole = guardType(Index.Key, Rocm && D.Output.Rocm == RocmGuard::Masquerading, D));
}

} // namespace opsig
