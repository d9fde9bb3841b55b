//===- FunctionalizationPlan.cpp - What functionalization makes and why -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Functionalize/FunctionalizationInternal.h"
#include "opsig/Dialect/FunctionalizationTraits.h"
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
  for (const FunctionOrGroup &Item : Ops.Grouped)
    if (const auto *G = std::get_if<NativeFunctionsGroup>(&Item)) {
      Items.push_back({.Group = G});
      InGroups.insert_range(G->functions());
    }
  for (const NativeFunctionsViewGroup *G : viewGroups(Ops)) {
    Items.push_back({.ViewGroup = G});
    InGroups.insert_range(G->functions());
  }
  for (const NativeFunction &F : Ops.Functions)
    if (!InGroups.contains(&F))
      Items.push_back({.Function = &F});
  return Items;
}

SmallVector<const NativeFunction *, 4> includedFunctions(const FunctionalizationItem &Item) {
  if (Item.Function)
    return {Item.Function};
  if (Item.Group)
    return Item.Group->functions();
  if (!Item.ViewGroup->ViewCopy)
    return {Item.ViewGroup->View};
  return {Item.ViewGroup->View, Item.ViewGroup->ViewCopy};
}

StringRef rootName(const FunctionalizationItem &Item) {
  return includedFunctions(Item).front()->rootName();
}

//===-- Kernels -------------------------------------------------------------===//

std::vector<FunctionalizationKernel> planKernels(const FunctionalizationItem &Item) {
  using Shape = FunctionalizationKernel::Shape;
  std::vector<FunctionalizationKernel> Kernels;
  // Composite views decompose into others.
  if (const NativeFunctionsViewGroup *G = Item.ViewGroup; G && !G->composite())
    for (const NativeFunction *F : {G->View, G->ViewInplace})
      if (F)
        Kernels.push_back({.Is = F->hasTag("inplace_view") ? Shape::InplaceView : Shape::View,
                           .Function = F,
                           .ViewGroup = G});
  if (const NativeFunctionsGroup *G = Item.Group)
    for (const NativeFunction *F : {G->Out, G->Inplace, G->Mutable})
      if (F)
        Kernels.push_back({.Is = Shape::Mutation, .Function = F, .Group = G});
  return Kernels;
}

//===-- Entries -------------------------------------------------------------===//

namespace {

/// Why functions get no entries.
constexpr Nothing Decomposes{
    "it is composite: the operators that it calls are functionalized instead"};
constexpr Nothing ByHand{"PyTorch implements it by hand"};
constexpr Nothing LeftAlone{
    "it is on PyTorch's list of operators that write but have no functional variant"};

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

/// Kernels of PyTorch's own, whose groups get none.
bool isByHand(const NativeFunction &F) {
  std::string Name = F.Schema.Name.str();
  return Name == "lift" || Name == "resize_";
}

/// Composites are not looked at where the dispatcher decomposes them first.
bool decomposes(const NativeFunction &F, const FunctionalizationItem &Item, const Dialect &D) {
  CompositeEntries Have = D.Functionalization.Composites;
  return composite(F) &&
         (Have == CompositeEntries::None || (Have == CompositeEntries::Views && !Item.ViewGroup));
}

/// Why none of an item's functions gets an entry, if that is so.
std::optional<Nothing> whyNoEntries(const FunctionalizationItem &Item, const Dialect &D) {
  if (const NativeFunctionsViewGroup *G = Item.ViewGroup) {
    // Making a tensor from Python data must not be functionalized.
    if (G->View->Schema.Name.str() == "lift_fresh")
      return ByHand;
    return std::nullopt;
  }
  if (Item.Function && isLeftAlone(Item.Function->Schema.Name.str(), D))
    return LeftAlone;
  const NativeFunction *Inplace = Item.Group ? Item.Group->Inplace : nullptr;
  if (D.Functionalization.SetIsHandwritten && Inplace &&
      Inplace->Schema.Name.str() == "set_.source_Tensor")
    return ByHand;
  if (any_of(includedFunctions(Item),
             [&](const NativeFunction *F) { return !decomposes(*F, Item, D) && isByHand(*F); }))
    return ByHand;
  return std::nullopt;
}

} // namespace

std::variant<FunctionalizationEntry, Nothing>
planEntry(const NativeFunction &F, const FunctionalizationItem &Item, const Dialect &D) {
  if (std::optional<Nothing> Why = whyNoEntries(Item, D))
    return *Why;
  if (decomposes(F, Item, D))
    return Decomposes;
  const NativeFunctionsViewGroup *G = Item.ViewGroup;
  const KernelEntry *Composite = composite(F);
  if (G ? &F != G->ViewCopy : Composite || writes(F))
    return FunctionalizationEntry{&F, Composite};
  return Nothing{WritesNothing};
}

std::vector<FunctionalizationEntry> planEntries(const FunctionalizationItem &Item,
                                                const Dialect &D) {
  std::vector<FunctionalizationEntry> Entries;
  auto Functions = includedFunctions(Item);
  if (Item.ViewGroup)
    Functions = Item.ViewGroup->functions();
  for (const NativeFunction *F : Functions) {
    auto Plan = planEntry(*F, Item, D);
    if (const auto *Entry = std::get_if<FunctionalizationEntry>(&Plan))
      Entries.push_back(*Entry);
  }
  return Entries;
}

//===-- Kernels made of other variants --------------------------------------===//

bool isGenerated(const NativeFunction &F) { return F.hasTag("generated"); }

namespace {

/// Whether the copy's kernel is ours to make: later releases have views whose "copy" is another op
/// (slice_inverse and slice_scatter).
bool hasGeneratedCopy(const NativeFunctionsViewGroup &G, const Dialect &D) {
  if (!G.ViewCopy)
    return false;
  return !D.Functionalization.ViewCopiesFollowYaml ||
         G.ViewCopy->Schema.Name.Name.Base == G.View->Schema.Name.Name.str() + "_copy";
}

} // namespace

std::vector<CompositeKernel> planComposites(const FunctionalizationItem &Item, const Dialect &D) {
  using Shape = CompositeKernel::Shape;
  std::vector<CompositeKernel> Kernels;
  if (const NativeFunctionsViewGroup *G = Item.ViewGroup; G && hasGeneratedCopy(*G, D))
    Kernels.push_back({.Is = Shape::ViewCopy, .Function = G->ViewCopy, .ViewGroup = G});
  const NativeFunctionsGroup *G = Item.Group;
  if (G && isGenerated(*G->Functional))
    Kernels.push_back({.Is = Shape::Functional, .Function = G->Functional, .Group = G});
  if (G && isGenerated(*G->Out))
    Kernels.push_back({.Is = Shape::Out, .Function = G->Out, .Group = G});
  return Kernels;
}

bool hasInverse(const NativeFunctionsViewGroup &G) {
  // Composite views decompose into others before they are functionalized.
  return !G.composite();
}

//===-- What cannot be dealt with -------------------------------------------===//

namespace {

/// A view's first argument is viewed, and nothing else is.
std::optional<std::string> whyNotView(const NativeFunction &F) {
  ArrayRef<Argument> Args = F.Schema.Args.nonOut();
  if (Args.empty() || !Args[0].Ty.is(BaseTy::Tensor) || !Args[0].Annotation)
    return "the first argument of a view must be the viewed tensor";
  for (const Argument &A : Args.drop_front())
    if (A.Annotation)
      return "argument '" + A.Name + "' is annotated, but a view has only one viewed tensor";
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
           "' does not return one value for each return of this variant and one for each argument "
           "that this variant writes to";
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
  if (Item.Function)
    if (std::optional<std::string> Why = whyNotAlone(*Item.Function, D))
      return FunctionalizationProblem{Item.Function, std::move(*Why)};
  return std::nullopt;
}

} // namespace opsig
