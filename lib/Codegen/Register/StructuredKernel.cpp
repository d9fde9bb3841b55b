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

// Holes that may be empty are at line ends, and their values begin with a new line.
constexpr Template ClassText = R"(struct ${class} final : public ${parent} {${constructor}
${=set_output_strided}
${=set_output_raw_strided}
    const Tensor& maybe_get_output(int64_t output_idx) override {
      return ${output};
    }
    std::array<${holder}, ${count}> outputs_;${proxies}${guard}
};
)";

constexpr Template InplaceConstructorText = R"(

    ${class}(Tensor& self) : outputs_{std::ref(self)} {})";
constexpr Template OutConstructorText = R"(

    ${class}(${params}) : outputs_{ ${refs} } {})";

constexpr Template ProxiesText = R"(

    std::array<${optional}<${proxy}>, ${count}> proxy_outputs_;)";

constexpr Template GuardText = R"(

    ${guard} guard_;)";

constexpr Template SetOutputText = R"(    void set_output_${which}(
        int64_t output_idx, IntArrayRef sizes, IntArrayRef strides,
        TensorOptions options${names}
    ) override {${guard}${body}${propagate_names}
        // super must happen after, so that downstream can use maybe_get_output
        // to retrieve the output${super}
    })";

constexpr StringRef NamesParam = ", DimnameList names";
constexpr Template PropagateNamesText = R"(

        if (!names.empty()) {
          namedinference::propagate_names(${output}, names);
        })";

constexpr Template SetGuardText = R"(

        auto current_device = guard_.current_device();
        if (C10_UNLIKELY(current_device.has_value())) {
          TORCH_INTERNAL_ASSERT(*current_device == options.device(),
            "structured kernels don't support multi-device outputs");
        } else {
          guard_.reset_device(options.device());
        })";

constexpr Template CreateText = R"(

        outputs_[output_idx] = create_out(sizes, strides, options);)";
constexpr Template CheckInplaceText = R"(

        const auto& out = outputs_[output_idx].get();
        check_inplace(out, sizes, options);)";
constexpr Template ResizeText = R"(

        const auto& out = outputs_[output_idx].get();
        resize_out(out, sizes, strides, options);)";

constexpr Template CreateProxyText = R"(

        auto maybe_proxy = maybe_create_proxy(out, sizes, strides, options);
        if (C10_UNLIKELY(maybe_proxy.has_value())) {
            proxy_outputs_[output_idx] = ${proxy};
        })";

constexpr Template CallSuperText = R"(

        ${parent}::set_output_raw_strided(output_idx, sizes, strides, options${names});)";

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

std::string constructorText(const StructuredKernel &K) {
  SchemaKind Kind = K.Function->kind();
  if (Kind == SchemaKind::Functional)
    return "";
  if (Kind == SchemaKind::Inplace)
    return printed<InplaceConstructorText>("class"_hole = K.ClassName);
  std::string Params, Refs;
  for (size_t I = 0, N = K.Function->Schema.Returns.size(); I != N; ++I) {
    StringRef Comma = I ? ", " : "";
    Params += (Comma + "Tensor& out" + Twine(I)).str();
    Refs += (Comma + "std::ref(out" + Twine(I) + ")").str();
  }
  return printed<OutConstructorText>("class"_hole = K.ClassName, "params"_hole = Params,
                                     "refs"_hole = Refs);
}

enum class OutputStrides : uint8_t {
  Wanted, ///< a tensor with other strides is written to through a proxy
  Any,
};

std::string setOutputBody(const StructuredKernel &K, OutputStrides Strides, const Dialect &D) {
  if (K.Function->kind() == SchemaKind::Functional)
    return printed<CreateText>();
  std::string Body = K.Function->kind() == SchemaKind::Inplace ? printed<CheckInplaceText>()
                                                               : printed<ResizeText>();
  if (Strides == OutputStrides::Any)
    return Body;
  StringRef Proxy = "std::move(maybe_proxy).value()";
  bool Plain = D.Output.StructuredOutputs == OutputHolder::Plain;
  return Body + printed<CreateProxyText>("proxy"_hole =
                                             Plain ? Proxy.str()
                                                   : (ownedTensor(D) + "(" + Proxy + ")").str());
}

std::string setOutputText(const StructuredKernel &K, OutputStrides Strides, DispatchKey Key,
                          const Dialect &D) {
  bool Names = D.Output.NamesOutputDimensions;
  StringRef Output = holdsPointers(K, D) ? "*outputs_[output_idx]" : "outputs_[output_idx]";
  return printed<SetOutputText>(
      "which"_hole = Strides == OutputStrides::Wanted ? "strided" : "raw_strided",
      "guard"_hole = guardsOutputs(Key, D) ? printed<SetGuardText>() : "",
      "names"_hole = Names ? NamesParam : StringRef(), "body"_hole = setOutputBody(K, Strides, D),
      "propagate_names"_hole = Names ? printed<PropagateNamesText>("output"_hole = Output) : "",
      "super"_hole = K.Group->Out->StructuredInherits.empty()
                         ? ""
                         : printed<CallSuperText>("parent"_hole = K.ParentClass,
                                                  "names"_hole = Names ? ", names" : ""));
}

/// Outputs are members of functional kernels, and references to arguments of all others, which may
/// have a proxy.
struct OutputMembers {
  std::string Holder;
  std::string Output; ///< number output_idx
  std::string Proxies;
};

OutputMembers outputMembers(const StructuredKernel &K, StringRef Count, const Dialect &D) {
  if (K.Function->kind() == SchemaKind::Functional)
    return {ownedTensor(D).str(),
            holdsPointers(K, D) ? "*outputs_[output_idx]" : "outputs_[output_idx]", ""};
  StringRef Deref = D.Output.StructuredOutputs == OutputHolder::Plain ? "*" : "**";
  return {"std::reference_wrapper<Tensor>",
          ("proxy_outputs_[output_idx].has_value() ? " + Deref +
           "proxy_outputs_[output_idx] : outputs_[output_idx].get()")
              .str(),
          printed<ProxiesText>("optional"_hole = D.Spelling.Optional, "proxy"_hole = ownedTensor(D),
                               "count"_hole = Count)};
}

} // namespace

std::string structuredClass(const StructuredKernel &K, const BackendIndex &Index, bool Rocm,
                            const Dialect &D) {
  std::string Count = std::to_string(K.Function->Schema.Returns.size());
  OutputMembers Outputs = outputMembers(K, Count, D);
  StringRef Guard = guardType(Index.Key, Rocm && D.Output.Rocm == RocmGuard::Masquerading, D);
  return printed<ClassText>(
      "class"_hole = K.ClassName, "parent"_hole = K.ParentClass,
      "constructor"_hole = constructorText(K),
      "set_output_strided"_hole = setOutputText(K, OutputStrides::Wanted, Index.Key, D),
      "set_output_raw_strided"_hole = setOutputText(K, OutputStrides::Any, Index.Key, D),
      "output"_hole = Outputs.Output, "holder"_hole = Outputs.Holder, "count"_hole = Count,
      "proxies"_hole = Outputs.Proxies,
      "guard"_hole = Guard.empty() ? "" : printed<GuardText>("guard"_hole = Guard));
}

} // namespace opsig
