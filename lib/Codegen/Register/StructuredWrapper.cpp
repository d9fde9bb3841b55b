//===- StructuredWrapper.cpp - The function that runs a structured kernel ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Register/DeviceTextInternal.h"
#include "Register/StructuredKernelInternal.h"
#include "opsig/Signature/Translate.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

//===-- The shape of the emitted code ---------------------------------------===//

namespace {

constexpr Template WrapperText = R"(
${class}

${signature} {
${if device_check}
${=device_check}
${end}
${class_name} op${if arguments}(${arguments})${end};
${meta}
${run}
${proxies}
return ${returned};
}
)";

constexpr Template CallMetaText = "op.meta(${args});";
constexpr Template CallMetaPrecomputingText = R"(auto precompute = op.meta(${args});
(void)precompute;)";

constexpr Template CallImplText = "op.impl(${args});";
constexpr Template CallOutText = "at::${out}(${args});";

constexpr Template CopyProxyText = R"(
if (op.proxy_outputs_[${i}].has_value()) op.outputs_[${i}].get().copy_(${deref}op.proxy_outputs_[${i}]);
)";

//===-- Values at hand ------------------------------------------------------===//

/// What meta and impl are called with: first the wrapper's parameters, then what meta computes,
/// then the outputs.
class Values {
public:
  explicit Values(const Signature &Own) {
    for (const Binding &B : Own.Params)
      Have.push_back({B.Name, B.Type});
  }

  void addPrecomputed(const Precompute &P) {
    for (const Precompute::Replacement &R : P.Replace)
      addPrecomputed(R.By);
    addPrecomputed(P.Add);
  }

  void addOutputs(const StructuredKernel &K, const Dialect &D) {
    CType Ty = CType(CppBase::Tensor).mutRef();
    StringRef Deref = holdsPointers(K, D) ? "*" : "";
    for (auto [I, Out] : enumerate(K.Group->Out->Schema.Args.out())) {
      std::string Index = std::to_string(I);
      std::string Text = K.Function->kind() == SchemaKind::Out
                             ? "op.maybe_get_output(" + Index + ")"
                             : Deref.str() + "op.outputs_[" + Index + "]";
      Have.push_back({std::move(Text), {Out.Name, false, Ty}});
    }
  }

  /// Arguments for \p Params, as text.
  Expected<std::string> pass(ArrayRef<Binding> Params, const Dialect &D) const {
    std::vector<NamedCType> Want;
    for (const Binding &B : Params)
      Want.push_back(B.Type);
    Expected<std::vector<Expr>> Args = translate(Have, Want, D);
    if (!Args)
      return Args.takeError();
    return join(*Args);
  }

private:
  void addPrecomputed(ArrayRef<Argument> Args) {
    for (const Argument &A : Args)
      Have.push_back({"precompute." + A.Name, {A.Name, false, structuredType(A)}});
  }

  std::vector<Expr> Have;
};

//===-- Parts of the body ---------------------------------------------------===//

std::string deviceCheck(const StructuredKernel &K, const BackendIndex &Index, StringRef Wrapper,
                        const OutputFacts &O) {
  if (!Index.DeviceGuard)
    return "";
  return deviceCheckText(planDevices(*K.Function, Index), Wrapper, O);
}

/// Names of the out arguments.
std::string outNames(const NativeFunction &F) {
  return llvm::join(map_range(F.Schema.Args.out(), [](const Argument &A) { return A.Name; }), ", ");
}

/// What the object is made from.
std::string constructorArguments(const NativeFunction &F) {
  switch (F.kind()) {
  case SchemaKind::Inplace:
    return "self";
  case SchemaKind::Out:
    return outNames(F);
  default:
    return "";
  }
}

Expected<std::string> callMeta(const StructuredKernel &K, const Values &Have, const Dialect &D) {
  Expected<std::string> Args = Have.pass(structuredMeta(*K.Group, D).Params, D);
  if (!Args)
    return Args.takeError();
  return K.Group->Out->Precomputed ? printed<CallMetaPrecomputingText>("args"_hole = *Args)
                                   : printed<CallMetaText>("args"_hole = *Args);
}

Expected<std::string> callKernel(const StructuredKernel &K, const Values &Have, const Lowering &L) {
  const Dialect &D = *L.D;
  if (K.After == StructuredKernel::Then::Nothing)
    return "";
  if (K.After == StructuredKernel::Then::Impl) {
    Expected<std::string> Args = Have.pass(structuredImpl(*K.Group, D).Params, D);
    if (!Args)
      return Args.takeError();
    return printed<CallImplText>("args"_hole = *Args);
  }
  CppForm Form;
  Form.FallbackBinding = K.Function->ManualCppBinding;
  CppSignatures Out = cppSignatures(*K.Group->Out, Form, L);
  Expected<std::string> Args = Have.pass(Out.mostFaithful().Params, D);
  if (!Args)
    return Args.takeError();
  return printed<CallOutText>("out"_hole = Out.mostFaithful().Name, "args"_hole = *Args);
}

void copyProxies(std::string &To, const StructuredKernel &K, const Dialect &D) {
  if (K.Function->kind() == SchemaKind::Functional)
    return;
  for (size_t I = 0, N = K.Function->Schema.Returns.size(); I != N; ++I)
    print<CopyProxyText>(To, "i"_hole = std::to_string(I),
                         "deref"_hole =
                             D.Output.StructuredOutputs == OutputHolder::Plain ? "*" : "**");
}

std::string returned(const StructuredKernel &K, const Dialect &D) {
  const NativeFunction &F = *K.Function;
  if (F.kind() == SchemaKind::Inplace)
    return "self";
  size_t N = F.Schema.Returns.size();
  if (F.kind() == SchemaKind::Out)
    return N == 1 ? outNames(F) : "std::forward_as_tuple(" + outNames(F) + ")";
  std::vector<std::string> Moved;
  for (size_t I = 0; I != N; ++I)
    Moved.push_back("std::move(op.outputs_[" + std::to_string(I) + "])" +
                    (holdsPointers(K, D) ? ".take()" : ""));
  return N == 1 ? Moved.front() : "std::make_tuple(" + llvm::join(Moved, ", ") + ")";
}

} // namespace

//===-- The wrapper ---------------------------------------------------------===//

Signature structuredSignature(const NativeFunction &F, const BackendIndex &Index,
                              const Lowering &L) {
  std::string Prefix = "wrapper_";
  if (L.D->Output.WrapperNamesHaveKey)
    Prefix += (toString(Index.Key) + "_").str();
  const KernelEntry *Kernel = Index.kernel(F);
  return nativeSignature(F.Schema, L, Kernel && Kernel->supportsSymInt(), Prefix);
}

Expected<std::string> structuredDefinition(const StructuredKernel &K, const BackendIndex &Index,
                                           bool Rocm, const Dialect &D) {
  Lowering L = Lowering::of(*K.Function, D);
  Signature Own = structuredSignature(*K.Function, Index, L);

  Values Have(Own);
  Expected<std::string> Meta = callMeta(K, Have, D);
  if (!Meta)
    return Meta.takeError();
  if (K.Group->Out->Precomputed)
    Have.addPrecomputed(*K.Group->Out->Precomputed);
  Have.addOutputs(K, D);
  Expected<std::string> Run = callKernel(K, Have, L);
  if (!Run)
    return Run.takeError();

  return printed<WrapperText>(
      "class"_hole = structuredClass(K, Index, Rocm, D), "signature"_hole = Own.defn(D),
      "device_check"_hole = deviceCheck(K, Index, Own.Name, D.Output),
      "class_name"_hole = K.ClassName, "arguments"_hole = constructorArguments(*K.Function),
      "meta"_hole = *Meta, "run"_hole = *Run,
      "proxies"_hole = [&](std::string &To) { copyProxies(To, K, D); },
      "returned"_hole = returned(K, D));
}

} // namespace opsig
