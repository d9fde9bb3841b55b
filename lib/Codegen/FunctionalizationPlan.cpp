//===- FunctionalizationPlan.cpp - What functionalization makes and why -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FunctionalizationInternal.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace opsig {

//===-- Items ---------------------------------------------------------------===//

std::vector<const NativeFunctionsViewGroup *> viewGroups(const Operators &Ops) {
  std::vector<const NativeFunctionsViewGroup *> Groups;
  for (const FunctionOrViewGroup &Item : Ops.ViewGrouped)
    if (const auto *G = std::get_if<NativeFunctionsViewGroup>(&Item))
      Groups.push_back(G);
  return Groups;
}

std::vector<FunctionalizationItem> functionalizationItems(const Operators &Ops) {
  std::vector<FunctionalizationItem> Items;
  DenseSet<const NativeFunction *> InGroups;
  auto Add = [&](const auto *Group) {
    Items.push_back(Group);
    for (const NativeFunction *F : Group->functions())
      InGroups.insert(F);
  };
  for (const FunctionOrGroup &Item : Ops.Grouped)
    if (const auto *G = std::get_if<NativeFunctionsGroup>(&Item))
      Add(G);
  for (const NativeFunctionsViewGroup *G : viewGroups(Ops))
    Add(G);
  for (const NativeFunction &F : Ops.Functions)
    if (!InGroups.contains(&F))
      Items.push_back(&F);
  return Items;
}

SmallVector<const NativeFunction *, 4> includedFunctions(const FunctionalizationItem &Item) {
  SmallVector<const NativeFunction *, 4> Functions;
  if (const auto *G = std::get_if<const NativeFunctionsGroup *>(&Item))
    return (*G)->functions();
  if (const auto *G = std::get_if<const NativeFunctionsViewGroup *>(&Item)) {
    Functions.push_back((*G)->View);
    if ((*G)->ViewCopy)
      Functions.push_back((*G)->ViewCopy);
    return Functions;
  }
  Functions.push_back(std::get<const NativeFunction *>(Item));
  return Functions;
}

StringRef rootName(const FunctionalizationItem &Item) {
  return includedFunctions(Item).front()->rootName();
}

//===-- Kernels -------------------------------------------------------------===//

std::vector<FunctionalizationKernel> planKernels(const FunctionalizationItem &Item) {
  std::vector<FunctionalizationKernel> Kernels;
  if (const auto *Held = std::get_if<const NativeFunctionsViewGroup *>(&Item)) {
    const NativeFunctionsViewGroup *G = *Held;
    // Composite views decompose into others.
    if (!G->composite())
      for (const NativeFunction *F : {G->View, G->ViewInplace})
        if (F)
          Kernels.push_back({.Function = F, .ViewGroup = G});
  } else if (const auto *Held = std::get_if<const NativeFunctionsGroup *>(&Item)) {
    const NativeFunctionsGroup *G = *Held;
    for (const NativeFunction *F : {G->Out, G->Inplace, G->Mutable})
      if (F)
        Kernels.push_back({.Function = F, .Group = G});
  }
  return Kernels;
}

//===-- Entries -------------------------------------------------------------===//

namespace {

bool writes(const NativeFunction &F) {
  return any_of(F.Schema.Args.all(), [](const Argument &A) { return A.isWrite(); });
}

const KernelEntry *composite(const NativeFunction &F) {
  return F.kernel(DispatchKey::CompositeImplicitAutograd);
}

/// Whether functionalization must not see \p F: functions that may write without a functional form.
bool isLeftAlone(StringRef Name, const Dialect &D) {
  return is_contained(D.Schema.LoneOut, Name) ||
         is_contained(D.Schema.NoGeneratedOutMutable, Name) ||
         is_contained(D.Schema.NotGroupedInplace, Name) ||
         is_contained(D.Functionalization.LeftAlone, Name);
}

std::vector<FunctionalizationEntry> viewEntries(const NativeFunctionsViewGroup &G,
                                                const Dialect &D) {
  // Making a tensor from Python data must not be functionalized.
  if (G.View->Schema.Name.str() == "lift_fresh")
    return {};
  std::vector<FunctionalizationEntry> Entries;
  for (const NativeFunction *F : {G.View, G.ViewInplace})
    if (F && (!composite(*F) || D.Functionalization.RegistersComposites))
      Entries.push_back({F, composite(*F)});
  return Entries;
}

std::vector<FunctionalizationEntry> entriesOf(ArrayRef<const NativeFunction *> Functions,
                                              const Dialect &D) {
  bool Composites = D.Functionalization.RegistersComposites;
  std::vector<FunctionalizationEntry> Entries;
  for (const NativeFunction *F : Functions) {
    const KernelEntry *Composite = composite(*F);
    if (Composite && !Composites)
      continue;
    std::string Name = F->Schema.Name.str();
    if (Name == "lift" || Name == "resize_") // Both have kernels written by hand.
      return {};
    if (writes(*F) || Composite)
      Entries.push_back({F, Composite});
  }
  return Entries;
}

} // namespace

std::vector<FunctionalizationEntry> planEntries(const FunctionalizationItem &Item,
                                                const Dialect &D) {
  if (const auto *G = std::get_if<const NativeFunctionsViewGroup *>(&Item))
    return viewEntries(**G, D);
  if (const auto *G = std::get_if<const NativeFunctionsGroup *>(&Item)) {
    if (D.Functionalization.SetIsHandwritten && (*G)->Inplace &&
        (*G)->Inplace->Schema.Name.str() == "set_.source_Tensor")
      return {};
    return entriesOf((*G)->functions(), D);
  }
  const auto *F = std::get<const NativeFunction *>(Item);
  if (isLeftAlone(F->Schema.Name.str(), D))
    return {};
  return entriesOf(F, D);
}

//===-- What cannot be dealt with -------------------------------------------===//

namespace {

/// A view's first argument is viewed, and nothing else is.
std::optional<std::string> whyNotView(const NativeFunction &F) {
  ArrayRef<Argument> Args = F.Schema.Args.nonOut();
  if (Args.empty() || !Args[0].Ty.is(BaseTy::Tensor) || !Args[0].Annotation)
    return "the first argument of a view must be the tensor that is viewed";
  for (const Argument &A : Args.drop_front())
    if (A.Annotation)
      return "argument '" + A.Name + "' is annotated, but a view has one tensor that is viewed";
  return std::nullopt;
}

size_t numFreshReturns(const FunctionSchema &S) {
  return count(S.aliasedReturnNames(), std::string());
}

/// The functional variant returns what a written one returns and what it writes.
std::optional<std::string> whyNotMutation(const NativeFunction &F, const NativeFunctionsGroup &G) {
  size_t Written = count_if(F.Schema.Args.all(), [](const Argument &A) { return A.isWrite(); });
  const FunctionSchema &Functional = G.Functional->Schema;
  if (Written == 0)
    return "it writes to no argument";
  if (Written + numFreshReturns(F.Schema) != numFreshReturns(Functional))
    return "'" + Functional.Name.str() +
           "' does not return one value for each that it returns or writes";
  return std::nullopt;
}

std::optional<std::string> whyNotAlone(const NativeFunction &F, const Dialect &D) {
  if (!writes(F) || composite(F) || isLeftAlone(F.Schema.Name.str(), D) ||
      isLeftAlone(F.Schema.Name.Name.str(), D))
    return std::nullopt;
  return "it writes to an argument, but has no functional variant";
}

} // namespace

std::optional<FunctionalizationProblem> whyNotFunctionalized(const FunctionalizationItem &Item,
                                                             const Dialect &D) {
  for (const FunctionalizationKernel &K : planKernels(Item)) {
    std::optional<std::string> Why =
        K.ViewGroup ? whyNotView(*K.Function) : whyNotMutation(*K.Function, *K.Group);
    if (Why)
      return FunctionalizationProblem{K.Function, std::move(*Why)};
  }
  if (const auto *F = std::get_if<const NativeFunction *>(&Item))
    if (std::optional<std::string> Why = whyNotAlone(**F, D))
      return FunctionalizationProblem{*F, std::move(*Why)};
  return std::nullopt;
}

} // namespace opsig
