//===- WrapperPlan.cpp - Which functions a key registers, and how -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Codegen/WrapperPlan.h"
#include "opsig/Dialect/OutputTraits.h"
#include "opsig/Signature/Signature.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace opsig {

//===-- Which functions -----------------------------------------------------===//

namespace {

/// Shapes are all that Meta computes, and an inplace function leaves self's as it is. Composite
/// kernels do better, and for lists of tensors there is nothing to return.
bool returnsSelfOnMeta(const NativeFunction &F, const BackendIndex &Index) {
  return Index.Key == DispatchKey::Meta && F.kind() == SchemaKind::Inplace &&
         !F.hasCompositeKernel() && F.Schema.Returns.size() == 1;
}

} // namespace

std::variant<Wrapper, Unregistered>
planWrapper(const NativeFunction &F, const NativeFunction *Functional, const BackendIndex &Index) {
  if (F.ManualKernelRegistration)
    return Unregistered::ByHand;
  if (const KernelEntry *Kernel = Index.kernel(F))
    return Wrapper{&F, WrapperKind::CallKernel, Kernel};
  if (returnsSelfOnMeta(F, Index))
    return Wrapper{&F, WrapperKind::ReturnSelf};
  if (Functional && !Index.UseOutAsPrimary && F.kind() != SchemaKind::Functional)
    if (const KernelEntry *Kernel = Index.kernel(*Functional))
      return Wrapper{&F, WrapperKind::CopyFromFunctional, Kernel, Functional};
  return F.hasCompositeKernel() ? Unregistered::Composite : Unregistered::NoKernel;
}

std::vector<Wrapper> planWrappers(const Operators &Ops, const BackendIndex &Index) {
  std::vector<Wrapper> Wrappers;
  for (const FunctionOrGroup &G : Ops.Grouped) {
    const auto *Group = std::get_if<NativeFunctionsGroup>(&G);
    for (const NativeFunction *F : functionsOf(G)) {
      auto Plan = planWrapper(*F, Group ? Group->Functional : nullptr, Index);
      if (const auto *W = std::get_if<Wrapper>(&Plan))
        Wrappers.push_back(*W);
    }
  }
  return Wrappers;
}

//===-- Devices -------------------------------------------------------------===//

DeviceHandling planDevices(const NativeFunction &F, const BackendIndex &Index) {
  DeviceHandling Plan;
  if (!Index.DeviceGuard)
    return Plan;
  const Arguments &Args = F.Schema.Args;

  // Keyword-only tensors take no part, neither in the check nor in the guard.
  SmallVector<const Argument *> Tensors;
  for (const Argument &A : concat<const Argument>(Args.out(), Args.positional()))
    if (A.Ty.isTensorLike())
      Tensors.push_back(&A);

  if (F.Check == DeviceCheck::ExactSame) {
    Plan.Checks = true;
    for (const Argument *A : Tensors)
      Plan.CheckedArgs.push_back(A->Name);
  }

  if (!F.DeviceGuard)
    return Plan;
  const Argument *Self = Args.self();
  if (Args.hasTensorOptions()) {
    Plan.Guards = DeviceHandling::Guard::OfOptions;
    Plan.InitialisesCuda = isCudaKey(Index.Key);
  } else if (Self && Self->Ty.isTensorLike()) {
    Plan.Guards = DeviceHandling::Guard::OfArgument;
    Plan.GuardArg = Self->Name;
  } else if (!Tensors.empty()) {
    Plan.Guards = DeviceHandling::Guard::OfArgument;
    Plan.GuardArg = Tensors.front()->Name;
  }
  return Plan;
}

//===-- Copying results back ------------------------------------------------===//

namespace {

/// Without returns there is no name to copy to but that of a single out argument.
Expected<CopyBack> planVoidCopyBack(const NativeFunction &F, const Dialect &D) {
  ArrayRef<Argument> Out = F.Schema.Args.out();
  if (!D.Output.VoidOutWrappers)
    return createStringError("it returns nothing, and PyTorch " + Twine(D.Name) +
                             " has no wrapper for that");
  if (Out.size() != 1)
    return createStringError("it returns nothing and has " + Twine(Out.size()) +
                             " out arguments instead of one");
  return CopyBack{Out[0].Ty.listLike() ? CopyBack::Shape::VoidPerItem : CopyBack::Shape::VoidOne,
                  {Out[0].Name},
                  /*Resizes=*/F.kind() == SchemaKind::Out};
}

} // namespace

Expected<CopyBack> planCopyBack(const NativeFunction &F, const Dialect &D) {
  SchemaKind Kind = F.kind();
  if (Kind != SchemaKind::Inplace && Kind != SchemaKind::Out)
    return createStringError("it is neither an in-place nor an out variant, but " + toString(Kind));
  std::vector<std::string> Targets = returnNames(F);
  if (Targets.empty())
    return planVoidCopyBack(F, D);
  return CopyBack{Targets.size() == 1 ? CopyBack::Shape::One : CopyBack::Shape::Tuple,
                  std::move(Targets), /*Resizes=*/Kind == SchemaKind::Out};
}

} // namespace opsig
