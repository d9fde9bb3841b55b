//===- FunctionalizationPlan.cpp - What functionalization makes and why -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Functionalize/FunctionalizationInternal.h"
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
  using Shape = FunctionalizationKernel::Shape;
  std::vector<FunctionalizationKernel> Kernels;
  if (const auto *Held = std::get_if<const NativeFunctionsViewGroup *>(&Item)) {
    const NativeFunctionsViewGroup *G = *Held;
    // Composite views decompose into others.
    if (!G->composite())
      for (const NativeFunction *F : {G->View, G->ViewInplace})
        if (F)
          Kernels.push_back({.Is = F->hasTag("inplace_view") ? Shape::InplaceView : Shape::View,
                             .Function = F,
                             .ViewGroup = G});
  } else if (const auto *Held = std::get_if<const NativeFunctionsGroup *>(&Item)) {
    const NativeFunctionsGroup *G = *Held;
    for (const NativeFunction *F : {G->Out, G->Inplace, G->Mutable})
      if (F)
        Kernels.push_back({.Is = Shape::Mutation, .Function = F, .Group = G});
  }
  return Kernels;
}

//===-- Entries -------------------------------------------------------------===//

namespace {

/// Why functions get no entries.
constexpr Nothing Decomposes{"it is composite: what it is made of is functionalized"};
constexpr Nothing ByHand{"PyTorch deals with it by hand"};
constexpr Nothing LeftAlone{"it is one of those that write but have no functional variant"};

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
  bool IsView = std::holds_alternative<const NativeFunctionsViewGroup *>(Item);
  return composite(F) &&
         (Have == CompositeEntries::None || (Have == CompositeEntries::Views && !IsView));
}

/// Why none of an item's functions gets an entry, if that is so.
std::optional<Nothing> whyNoEntries(const FunctionalizationItem &Item, const Dialect &D) {
  // Making a tensor from Python data must not be functionalized.
  if (const auto *G = std::get_if<const NativeFunctionsViewGroup *>(&Item)) {
    if ((*G)->View->Schema.Name.str() == "lift_fresh")
      return ByHand;
    return std::nullopt;
  }
  if (const auto *G = std::get_if<const NativeFunctionsGroup *>(&Item)) {
    const NativeFunction *Inplace = (*G)->Inplace;
    if (D.Functionalization.SetIsHandwritten && Inplace &&
        Inplace->Schema.Name.str() == "set_.source_Tensor")
      return ByHand;
  } else if (isLeftAlone(std::get<const NativeFunction *>(Item)->Schema.Name.str(), D)) {
    return LeftAlone;
  }
  if (any_of(includedFunctions(Item),
             [&](const NativeFunction *F) { return !decomposes(*F, Item, D) && isByHand(*F); }))
    return ByHand;
  return std::nullopt;
}

/// A function of an item whose functions may get entries.
std::variant<FunctionalizationEntry, Nothing>
entryOf(const NativeFunction &F, const FunctionalizationItem &Item, const Dialect &D) {
  if (decomposes(F, Item, D))
    return Decomposes;
  const auto *G = std::get_if<const NativeFunctionsViewGroup *>(&Item);
  bool Views = G && &F != (*G)->ViewCopy;
  const KernelEntry *Composite = composite(F);
  if (Views || (!G && (Composite || writes(F))))
    return FunctionalizationEntry{&F, Composite};
  return Nothing{WritesNothing};
}

} // namespace

std::variant<FunctionalizationEntry, Nothing>
planEntry(const NativeFunction &F, const FunctionalizationItem &Item, const Dialect &D) {
  if (std::optional<Nothing> Why = whyNoEntries(Item, D))
    return *Why;
  return entryOf(F, Item, D);
}

std::vector<FunctionalizationEntry> planEntries(const FunctionalizationItem &Item,
                                                const Dialect &D) {
  std::vector<FunctionalizationEntry> Entries;
  if (whyNoEntries(Item, D))
    return Entries;
  auto Add = [&](const NativeFunction *F) {
    auto Plan = entryOf(*F, Item, D);
    if (const auto *Entry = std::get_if<FunctionalizationEntry>(&Plan))
      Entries.push_back(*Entry);
  };
  if (const auto *G = std::get_if<const NativeFunctionsViewGroup *>(&Item))
    for_each((*G)->functions(), Add);
  else
    for_each(includedFunctions(Item), Add);
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
  if (const auto *Held = std::get_if<const NativeFunctionsViewGroup *>(&Item)) {
    const NativeFunctionsViewGroup &G = **Held;
    if (hasGeneratedCopy(G, D))
      Kernels.push_back({.Is = Shape::ViewCopy, .Function = G.ViewCopy, .ViewGroup = &G});
  } else if (const auto *Held = std::get_if<const NativeFunctionsGroup *>(&Item)) {
    const NativeFunctionsGroup &G = **Held;
    if (isGenerated(*G.Functional))
      Kernels.push_back({.Is = Shape::Functional, .Function = G.Functional, .Group = &G});
    if (isGenerated(*G.Out))
      Kernels.push_back({.Is = Shape::Out, .Function = G.Out, .Group = &G});
  }
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
