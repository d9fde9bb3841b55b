//===- RegistrationPlan.cpp - What a key of the in-tree build registers -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Register/RegistrationPlanInternal.h"

using namespace llvm;

namespace opsig {

//===-- Who -----------------------------------------------------------------===//

const BackendIndex &indexOrNone(const AtenInput &In, DispatchKey Key) {
  static const BackendIndex None;
  const BackendIndex *Index = In.Ops.index(Key);
  return Index ? *Index : None;
}

std::vector<KeyFunction> planKeyFunctions(const FunctionOrGroup &G, const BackendIndex &Index) {
  std::vector<KeyFunction> Plan;
  const auto *Group = std::get_if<NativeFunctionsGroup>(&G);
  if (Group && isStructured(*Group, Index))
    for (StructuredKernel &K : planStructuredKernels(*Group, Index))
      Plan.push_back({K.Function, std::move(K)});
  else
    for (Wrapper &W : planWrappers(G, Index))
      Plan.push_back({W.Function, std::move(W)});
  return Plan;
}

std::variant<Wrapper, StructuredKernel, Unregistered>
planKeyFunction(const NativeFunction &F, const FunctionOrGroup &G, const BackendIndex &Index) {
  const auto *Group = std::get_if<NativeFunctionsGroup>(&G);
  if (Group && isStructured(*Group, Index)) {
    for (StructuredKernel &K : planStructuredKernels(*Group, Index))
      if (K.Function == &F)
        return std::move(K);
    return Unregistered::LeftToBackends;
  }
  auto Plan = planWrapper(F, Group ? Group->Functional : nullptr, Index);
  if (const auto *W = std::get_if<Wrapper>(&Plan))
    return *W;
  return Index.Key == DispatchKey::Undefined ? Unregistered::UnusedKey
                                             : std::get<Unregistered>(Plan);
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

void planCalls(KeyCode &Code, const Wrapper &W, const WrapperContext &C, FirstError &Failed) {
  // Its own flags count here also for a member of a group.
  Lowering L = Lowering::of(*W.Function, C.D);
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

KeyCode planKeySignature(KeyFunction F, const WrapperContext &C) {
  Lowering L = Lowering::of(*F.Function, C.D);
  const KernelEntry *Kernel = C.Index.kernel(*F.Function);
  KeyCode Code{.For = std::move(F)};
  const FunctionSchema &S = Code.For.Function->Schema;
  if (std::holds_alternative<StructuredKernel>(Code.For.By))
    Code.Own = nativeSignature(S, L, Kernel && Kernel->supportsSymInt(), wrapperPrefix(C));
  else
    Code.Own = wrapperSignature(S, L, C);
  return Code;
}

KeyCode planKeyCode(KeyFunction F, const WrapperContext &C, FirstError &Failed) {
  if (std::optional<std::string> Why = whyNotLowerable(F.Function->Schema, C.D))
    Failed.fail(*Why);
  KeyCode Code = planKeySignature(std::move(F), C);
  Code.Devices = planDevices(*Code.For.Function, C.Index);
  if (const auto *K = std::get_if<StructuredKernel>(&Code.For.By))
    planStructuredCalls(Code, *K, Lowering::of(*K->Function, C.D), Failed);
  else
    planCalls(Code, std::get<Wrapper>(Code.For.By), C, Failed);
  return Code;
}

} // namespace opsig
