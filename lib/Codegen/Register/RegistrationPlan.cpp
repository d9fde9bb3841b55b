//===- RegistrationPlan.cpp - What a key of the in-tree build registers -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Register/RegistrationPlanInternal.h"
#include "opsig/Dialect/OutputTraits.h"

using namespace llvm;

namespace opsig {

//===-- Who -----------------------------------------------------------------===//

const BackendIndex &indexOrNone(const AtenInput &In, DispatchKey Key) {
  static const BackendIndex None;
  const BackendIndex *Index = In.Ops.index(Key);
  return Index ? *Index : None;
}

/// Whether the members of \p G have structured kernels under the key of \p Index: a structured one
/// is listed, or the key gets one for every structured group.
static bool isStructured(const NativeFunctionsGroup &G, const BackendIndex &Index) {
  if (!G.structured())
    return false;
  if (Index.Key == DispatchKey::Meta ||
      Index.Key == DispatchKey::CompositeExplicitAutogradNonFunctional)
    return true;
  const KernelEntry *Kernel = Index.kernel(G.primary(Index));
  return Kernel && Kernel->Structured;
}

std::variant<KeyFunction, Unregistered>
planKeyFunction(const NativeFunction &F, const FunctionOrGroup &G, const BackendIndex &Index) {
  const auto *Group = std::get_if<NativeFunctionsGroup>(&G);
  if (Group && isStructured(*Group, Index)) {
    if (std::optional<StructuredKernel> K = planStructuredKernel(F, *Group, Index))
      return KeyFunction{&F, std::move(*K)};
    return Unregistered::LeftToBackends;
  }
  auto Plan = planWrapper(F, Group ? Group->Functional : nullptr, Index);
  if (const auto *W = std::get_if<Wrapper>(&Plan))
    return KeyFunction{&F, *W};
  return Index.Key == DispatchKey::Undefined ? Unregistered::UnusedKey
                                             : std::get<Unregistered>(Plan);
}

std::vector<KeyFunction> planKeyFunctions(const FunctionOrGroup &G, const BackendIndex &Index) {
  std::vector<KeyFunction> Planned;
  for (const NativeFunction *F : functionsOf(G)) {
    auto Plan = planKeyFunction(*F, G, Index);
    if (auto *By = std::get_if<KeyFunction>(&Plan))
      Planned.push_back(std::move(*By));
  }
  return Planned;
}

bool isRegistered(const FunctionOrGroup &G, const BackendIndex &Index, DispatchKey Key) {
  if (any_of(functionsOf(G), [&](const NativeFunction *F) { return Index.hasKernel(*F); }))
    return true;
  const auto *Group = std::get_if<NativeFunctionsGroup>(&G);
  bool Structured = Group ? Group->structured() : std::get<const NativeFunction *>(G)->Structured;
  return Structured &&
         (Key == DispatchKey::Meta || Key == DispatchKey::CompositeExplicitAutogradNonFunctional);
}

StringRef kernelNamespace(const FunctionOrGroup &G, const BackendIndex &Index) {
  const auto *Group = std::get_if<NativeFunctionsGroup>(&G);
  const NativeFunction &F = Group ? Group->primary(Index) : *std::get<const NativeFunction *>(G);
  const KernelEntry *Kernel = Index.kernel(F);
  return Kernel ? StringRef(Kernel->CppNamespace) : "at::native";
}

StringRef rootName(const FunctionOrGroup &G) { return functionsOf(G).front()->rootName(); }

//===-- How -----------------------------------------------------------------===//

namespace {

std::string wrapperPrefix(const WrapperContext &C) {
  return "wrapper_" +
         (C.D.Output.WrapperNamesHaveKey ? toString(C.Index.Key) + "_" : Twine()).str();
}

/// The dispatcher convention.
Signature wrapperSignature(const FunctionSchema &S, const Lowering &L, const WrapperContext &C) {
  return dispatcherSignature(S, L, /*SymInt=*/true, wrapperPrefix(C) + S.Name.Overload + "_");
}

/// What the wrapper calls: a static member of the backend's class, or a function of a namespace.
std::string kernelName(const KernelEntry &Kernel, const WrapperContext &C) {
  std::string Class = C.ClassName.empty() ? "" : (C.ClassName + "::").str();
  return Kernel.CppNamespace + "::" + Class + Kernel.Kernel;
}

void planCalls(KeyCode &Code, const Wrapper &W, const Lowering &L, const WrapperContext &C,
               FirstError &Failed) {
  if (W.Kind == WrapperKind::CallKernel) {
    Code.Callee = kernelName(*W.Kernel, C);
    Code.Args =
        argumentsFor(kernelSignature(*W.Function, C.Index, L).Params, Code.Own.Params, C.D, Failed);
  } else if (W.Kind == WrapperKind::CopyFromFunctional) {
    Expected<CopyBack> Back = planCopyBack(*W.Function, C.D);
    if (!Back)
      return Failed.fail(toString(Back.takeError()));
    Code.Back = std::move(*Back);
    Signature Functional = wrapperSignature(W.Functional->Schema, L, C);
    Code.Callee = Functional.Name;
    Code.Args = argumentsFor(Functional.Params, Code.Own.Params, C.D, Failed);
  }
}

} // namespace

KeyCode planKeyCode(KeyFunction For, const WrapperContext &C, FirstError &Failed) {
  const NativeFunction &F = *For.Function;
  if (std::optional<std::string> Why = whyNotLowerable(F.Schema, C.D))
    Failed.fail(*Why);
  // Its own flags count here also for a member of a group.
  Lowering L = Lowering::of(F, C.D);
  KeyCode Code{.For = std::move(For), .Devices = planDevices(F, C.Index)};
  if (const auto *K = std::get_if<StructuredKernel>(&Code.For.By)) {
    const KernelEntry *Kernel = C.Index.kernel(F);
    Code.Own = nativeSignature(F.Schema, L, Kernel && Kernel->supportsSymInt(), wrapperPrefix(C));
    planStructuredCalls(Code, *K, L, Failed);
  } else {
    Code.Own = wrapperSignature(F.Schema, L, C);
    planCalls(Code, std::get<Wrapper>(Code.For.By), L, C, Failed);
  }
  return Code;
}

} // namespace opsig
