//===- StructuredKernel.cpp - The class of a structured kernel --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Register/RegistrationPlanInternal.h"
#include "opsig/Dialect/OutputTraits.h"
#include "llvm/ADT/Sequence.h"

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

std::optional<StructuredKernel> planStructuredKernel(const NativeFunction &F,
                                                     const NativeFunctionsGroup &G,
                                                     const BackendIndex &Index) {
  using Then = StructuredKernel::Then;
  std::string Meta = "structured_" + structuredMetaName(G);
  std::string Kind = "_" + toString(F.kind()).str();
  if (Index.Key == DispatchKey::Meta)
    return StructuredKernel{&G, &F, Then::Nothing, Meta + "_meta" + Kind, "at::meta::" + Meta};
  if (Index.Key == DispatchKey::CompositeExplicitAutogradNonFunctional) {
    if (F.kind() == SchemaKind::Out)
      return std::nullopt;
    return StructuredKernel{&G, &F, Then::CallOut, Meta + "_default_backend" + Kind,
                            "at::meta::" + Meta};
  }
  const KernelEntry &Kernel = *Index.kernel(G.primary(Index));
  std::string Class = "structured_" + Kernel.Kernel;
  return StructuredKernel{&G, &F, Then::Impl, Class + Kind, Kernel.CppNamespace + "::" + Class};
}

//===-- The parts of a class ------------------------------------------------===//

namespace {

bool holdsPointers(const StructuredKernel &K, const Dialect &D) {
  return K.Function->kind() == SchemaKind::Functional &&
         D.Output.StructuredOutputs == OutputHolder::ExclusivelyOwned;
}

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
  Expected, ///< a tensor with other strides is written to through a proxy
  Any,
};

void setOutput(std::string &To, const StructuredKernel &K, OutputStrides Strides, DispatchKey Key,
               const Dialect &D) {
  SchemaKind Kind = K.Function->kind();
  StringRef Moved = "std::move(maybe_proxy).value()";
  std::string Proxy;
  if (Strides == OutputStrides::Expected && Kind != SchemaKind::Functional)
    Proxy = D.Output.StructuredOutputs == OutputHolder::Plain
                ? Moved.str()
                : (ownedTensor(D) + "(" + Moved + ")").str();
  print<SetOutputText>(
      To, "which"_hole = Strides == OutputStrides::Expected ? "strided" : "raw_strided",
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

void printClass(std::string &Out, const StructuredKernel &K, const WrapperContext &C) {
  const Dialect &D = C.D;
  SchemaKind Kind = K.Function->kind();
  bool Functional = Kind == SchemaKind::Functional;
  auto Outputs = seq<size_t>(0, K.Function->Schema.Returns.size());
  auto SetOutput = [&](OutputStrides Strides) {
    return [&, Strides](std::string &To) { setOutput(To, K, Strides, C.Index.Key, D); };
  };
  print<ClassText>(
      Out, "class"_hole = K.ClassName, "parent"_hole = K.ParentClass,
      "inplace"_hole = Kind == SchemaKind::Inplace, "out"_hole = Kind == SchemaKind::Out,
      "out_params"_hole = each(Outputs, [](size_t I) { return "Tensor& out" + utostr(I); }),
      "out_refs"_hole = each(Outputs, [](size_t I) { return "std::ref(out" + utostr(I) + ")"; }),
      "set_output_strided"_hole = SetOutput(OutputStrides::Expected),
      "set_output_raw_strided"_hole = SetOutput(OutputStrides::Any),
      "output"_hole = outputText(K, D),
      "holder"_hole = Functional ? ownedTensor(D) : "std::reference_wrapper<Tensor>",
      "count"_hole = utostr(Outputs.size()), "optional"_hole = D.Spelling.Optional,
      "proxy"_hole = Functional ? "" : ownedTensor(D),
      "guard"_hole = guardType(C.Index.Key, C.Rocm && D.Output.Rocm == RocmGuard::Masquerading, D));
}

//===-- The function that runs it -------------------------------------------===//

constexpr Template WrapperText = R"(
${class}

${signature} {
${if guarded}
${=device_check}
${end}
${class_name} op${if arguments}(${arguments})${end};
${if precomputed}
auto precompute = op.meta(${meta_args});
(void)precompute;
${else}
op.meta(${meta_args});
${end}
${if callee}${callee}(${args});${end}
${proxies}
return ${returned};
}
)";

constexpr Template CopyProxyText = R"(
if (op.proxy_outputs_[${i}].has_value()) op.outputs_[${i}].get().copy_(${deref}op.proxy_outputs_[${i}]);
)";

/// What impl is called with beside the wrapper's parameters: what meta computes, and the outputs.
void addComputed(std::vector<Expr> &Have, const StructuredKernel &K, const Dialect &D) {
  auto Add = [&](const std::vector<Argument> &Args) {
    for (const Argument &A : Args)
      Have.push_back({"precompute." + A.Name, {A.Name, false, structuredType(A)}});
  };
  if (const auto &P = K.Group->Out->Precomputed) {
    for (const Precompute::Replacement &R : P->Replace)
      Add(R.By);
    Add(P->Add);
  }
  CType Ty = CType(CppBase::Tensor).mutRef();
  for (auto [I, Out] : enumerate(K.Group->Out->Schema.Args.out())) {
    std::string Text = K.Function->kind() == SchemaKind::Out
                           ? "op.maybe_get_output(" + utostr(I) + ")"
                           : (holdsPointers(K, D) ? "*" : "") + ("op.outputs_[" + utostr(I) + "]");
    Have.push_back({std::move(Text), {Out.Name, false, Ty}});
  }
}

/// Names of the out arguments.
std::string outNames(const NativeFunction &F) {
  return llvm::join(map_range(F.Schema.Args.out(), [](const Argument &A) { return A.Name; }), ", ");
}

/// What the object is made from.
std::string constructorArguments(const NativeFunction &F) {
  if (F.kind() == SchemaKind::Inplace)
    return "self";
  return F.kind() == SchemaKind::Out ? outNames(F) : "";
}

std::string returned(const StructuredKernel &K, const Dialect &D) {
  const NativeFunction &F = *K.Function;
  if (F.kind() == SchemaKind::Inplace)
    return "self";
  size_t N = F.Schema.Returns.size();
  if (F.kind() == SchemaKind::Out)
    return N == 1 ? outNames(F) : "std::forward_as_tuple(" + outNames(F) + ")";
  auto Moved = [&](size_t I) {
    return "std::move(op.outputs_[" + utostr(I) + "])" + (holdsPointers(K, D) ? ".take()" : "");
  };
  return N == 1 ? Moved(0) : "std::make_tuple(" + each(seq<size_t>(0, N), Moved).str() + ")";
}

} // namespace

void planStructuredCalls(KeyCode &Code, const StructuredKernel &K, const Lowering &L,
                         FirstError &Failed) {
  const Dialect &D = *L.D;
  std::vector<Expr> Have;
  for (const Binding &B : Code.Own.Params)
    Have.push_back({B.Name, B.Type});
  Code.MetaArgs = argumentsFor(structuredMeta(*K.Group, D).Params, Have, D, Failed);
  addComputed(Have, K, D);
  if (K.After == StructuredKernel::Then::Impl) {
    Code.Callee = "op.impl";
    Code.Args = argumentsFor(structuredImpl(*K.Group, D).Params, Have, D, Failed);
  } else if (K.After == StructuredKernel::Then::CallOut) {
    CppSignatures Out =
        cppSignatures(*K.Group->Out, {.FallbackBinding = K.Function->ManualCppBinding}, L);
    Code.Callee = "at::" + Out.mostFaithful().Name;
    Code.Args = argumentsFor(Out.mostFaithful().Params, Have, D, Failed);
  }
}

void printStructured(std::string &Out, const KeyCode &Code, const StructuredKernel &K,
                     const WrapperContext &C) {
  bool Functional = K.Function->kind() == SchemaKind::Functional;
  auto CopyProxy = [&](std::string &To, size_t I) {
    bool Plain = C.D.Output.StructuredOutputs == OutputHolder::Plain;
    print<CopyProxyText>(To, "i"_hole = utostr(I), "deref"_hole = Plain ? "*" : "**");
  };
  print<WrapperText>(
      Out, "class"_hole = [&](std::string &To) { printClass(To, K, C); },
      "signature"_hole = Code.Own.defn(C.D), "guarded"_hole = C.Index.DeviceGuard,
      "device_check"_hole = [&](std::string &To) { printDeviceCheck(To, Code, C.D.Output); },
      "class_name"_hole = K.ClassName, "arguments"_hole = constructorArguments(*K.Function),
      "precomputed"_hole = K.Group->Out->Precomputed.has_value(), "meta_args"_hole = Code.MetaArgs,
      "callee"_hole = Code.Callee, "args"_hole = Code.Args,
      "proxies"_hole =
          each(seq<size_t>(0, Functional ? 0 : K.Function->Schema.Returns.size()), CopyProxy),
      "returned"_hole = returned(K, C.D));
}

} // namespace opsig
