//===- RegistrationPlan.cpp - What a key of the in-tree build registers -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Register/RegistrationPlanInternal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

const BackendIndex &indexOrNone(const AtenInput &In, DispatchKey Key) {
  static const BackendIndex None;
  const BackendIndex *Index = In.Ops.index(Key);
  return Index ? *Index : None;
}

Signature KeyFunction::signature(const BackendIndex &Index, const Dialect &D) const {
  Lowering L = Lowering::of(*Function, D);
  if (std::holds_alternative<StructuredKernel>(By))
    return structuredSignature(*Function, Index, L);
  return wrapperSignature(Function->Schema, L, Index);
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

Unregistered unregistered(const NativeFunction &F, NoWrapper Why) {
  if (Why == NoWrapper::RegisteredByHand)
    return Unregistered::ByHand;
  return F.hasCompositeKernel() ? Unregistered::Composite : Unregistered::NoKernel;
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
  if (Index.Key == DispatchKey::Undefined)
    return Unregistered::UnusedKey;
  return unregistered(F, std::get<NoWrapper>(Plan));
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

StringRef operatorNamespace(const FunctionOrGroup &G) { return functionsOf(G).front()->Namespace; }

AtenList listOfKey(DispatchKey Key) {
  if (isCudaKey(Key))
    return AtenList::Cuda;
  return isXpuKey(Key) ? AtenList::Xpu : AtenList::Main;
}

std::string withoutEmptyLines(StringRef Text) {
  std::string Result;
  Result.reserve(Text.size());
  for (StringRef Line : split(Text, '\n'))
    if (!Line.empty()) {
      Result += Line;
      Result += '\n';
    }
  return Result;
}

} // namespace opsig
