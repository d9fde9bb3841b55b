//===- DispatchTable.cpp - Which kernel serves an operator under a key -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Operators/DispatchTable.h"
#include "opsig/Dialect/DispatchTableTraits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace opsig {

//===-- Keys ----------------------------------------------------------------===//

StringRef toString(AliasKey Key) {
  switch (Key) {
  case AliasKey::Autograd:
    return "Autograd";
  case AliasKey::CompositeImplicitAutograd:
    return "CompositeImplicitAutograd";
  case AliasKey::CompositeImplicitAutogradNestedTensor:
    return "CompositeImplicitAutogradNestedTensor";
  case AliasKey::CompositeExplicitAutograd:
    return "CompositeExplicitAutograd";
  case AliasKey::CompositeExplicitAutogradNonFunctional:
    return "CompositeExplicitAutogradNonFunctional";
  case AliasKey::FuncTorchBatchedDecomposition:
    return "FuncTorchBatchedDecomposition";
  }
  llvm_unreachable("unknown key");
}

static bool isBackendRole(SlotRole Role) {
  return Role == SlotRole::Backend || Role == SlotRole::OtherBackend;
}

DispatchKeys::DispatchKeys(const Dialect &D) {
  Slots.push_back({"Undefined", SlotRole::Mode});
  for (const SlotTraits &Row : D.Table.Slots) {
    if (!Row.IsFamily)
      addSlot(Row, "", D.Table);
    else
      for (StringRef Component : D.Table.Components)
        addSlot(Row, Component, D.Table);
  }
  for (auto [Number, Slot] : enumerate(Slots))
    ByName[Slot.Name] = Number;
  for (unsigned Alias = 0; Alias != NumAliasKeys; ++Alias)
    ByName[toString(AliasKey(Alias))] = alias(AliasKey(Alias));
  ByName["CatchAll"] = alias(AliasKey::CompositeImplicitAutograd);
  Unheeded.resize(Slots.size());
  joinAutograd(D.Table);
}

void DispatchKeys::addSlot(const SlotTraits &Row, StringRef Component,
                           const DispatchTableTraits &Facts) {
  KeySlot Slot{(Twine(Row.Name) + Component).str(), Row.Role};
  Slot.By = Row.By;
  Slot.Fallback = Row.Fallback;
  if (Row.IsFamily && !is_contained(Facts.FamilyFallbacks, Slot.Name))
    Slot.Fallback = LibraryFallback::None;
  Slot.TakesNonFunctional = isBackendRole(Row.Role) && Row.Name != Facts.FunctionalFamily &&
                            !is_contained(Facts.FunctionalComponents, Component);
  Slots.push_back(std::move(Slot));
}

void DispatchKeys::joinAutograd(const DispatchTableTraits &Facts) {
  KeyId Other = 0, Nested = 0;
  for (auto [Number, Slot] : enumerate(Slots)) {
    if (Slot.Role == SlotRole::AutogradOther)
      Other = Number;
    if (Slot.Role == SlotRole::AutogradNestedTensor)
      Nested = Number;
    if (Slot.Role != SlotRole::Autograd)
      continue;
    StringRef Component = StringRef(Slot.Name).drop_front(StringRef("Autograd").size());
    KeyId Backend = ByName.lookup(Component);
    Slot.Backend = Backend;
    Slots[Backend].Autograd = Number;
    Unheeded[Backend] = is_contained(Facts.UnheededComponents, Component);
  }
  for (KeySlot &Slot : Slots) {
    if (Slot.Role == SlotRole::OtherBackend)
      Slot.Autograd = Other;
    if (Slot.Role == SlotRole::NestedTensor)
      Slot.Autograd = Nested;
  }
}

StringRef DispatchKeys::name(KeyId Key) const {
  return isAlias(Key) ? toString(AliasKey(Key - Slots.size())) : StringRef(Slots[Key].Name);
}

std::optional<KeyId> DispatchKeys::find(StringRef Name) const {
  auto It = ByName.find(Name);
  if (It == ByName.end())
    return std::nullopt;
  return It->second;
}

std::vector<StringRef> DispatchKeys::names() const {
  std::vector<StringRef> Names;
  for (size_t Key = 0; Key != size(); ++Key)
    Names.push_back(name(Key));
  return Names;
}

//===-- Kernels -------------------------------------------------------------===//

void KernelsByKey::set(KeyId Key, KernelId Kernel) {
  for (auto &[Known, Of] : Entries)
    if (Known == Key) {
      Of = Kernel;
      return;
    }
  Entries.push_back({Key, Kernel});
}

KernelId KernelsByKey::find(KeyId Key) const {
  for (const auto &[Known, Of] : Entries)
    if (Known == Key)
      return Of;
  return NoKernel;
}

//===-- The rules -----------------------------------------------------------===//

namespace {

/// The table of one operator.
class Resolver {
public:
  Resolver(const DispatchKeys &Keys, const KernelsByKey &Kernels) : Keys(Keys), Kernels(Kernels) {
    for (unsigned Alias = 0; Alias != NumAliasKeys; ++Alias)
      Aliases[Alias] = Kernels.find(Keys.alias(AliasKey(Alias)));
    for (const auto &[Key, Kernel] : Kernels.all()) {
      if (Keys.isAlias(Key))
        continue;
      HasOtherBackend |= Keys.slots()[Key].Role == SlotRole::OtherBackend;
      HasNested |= Keys.slots()[Key].Role == SlotRole::NestedTensor;
    }
  }

  SlotEntry entry(KeyId Key, const KernelsByKey &Fallbacks) const {
    if (KernelId Own = Kernels.find(Key); Own != NoKernel)
      return {ServedBy::Kernel, Own};
    if (std::optional<SlotEntry> Composite = composite(Key))
      return *Composite;
    SlotRole Role = Keys.slots()[Key].Role;
    if (isAutograd(Role) && has(AliasKey::Autograd))
      return {ServedBy::Autograd, of(AliasKey::Autograd)};
    if (Role == SlotRole::Batched && has(AliasKey::FuncTorchBatchedDecomposition))
      return {ServedBy::Decomposition, of(AliasKey::FuncTorchBatchedDecomposition)};
    if (KernelId Fallback = Fallbacks.find(Key); Fallback != NoKernel)
      return {ServedBy::Fallback, Fallback};
    return {};
  }

private:
  KernelId of(AliasKey Key) const { return Aliases[unsigned(Key)]; }
  bool has(AliasKey Key) const { return of(Key) != NoKernel; }

  static bool isAutograd(SlotRole Role) {
    return Role == SlotRole::Autograd || Role == SlotRole::AutogradOther ||
           Role == SlotRole::AutogradNestedTensor;
  }

  std::optional<SlotEntry> composite(KeyId Key) const {
    const KeySlot &Slot = Keys.slots()[Key];
    bool IsNone = Key == 0;
    if ((IsNone || Slot.TakesNonFunctional) &&
        has(AliasKey::CompositeExplicitAutogradNonFunctional))
      return SlotEntry{ServedBy::NonFunctional,
                       of(AliasKey::CompositeExplicitAutogradNonFunctional)};
    if ((IsNone || isBackendRole(Slot.Role)) && has(AliasKey::CompositeExplicitAutograd))
      return SlotEntry{ServedBy::Explicit, of(AliasKey::CompositeExplicitAutograd)};
    bool IsNested =
        Slot.Role == SlotRole::NestedTensor || Slot.Role == SlotRole::AutogradNestedTensor;
    if (IsNested && has(AliasKey::CompositeImplicitAutogradNestedTensor))
      return SlotEntry{ServedBy::NestedImplicit,
                       of(AliasKey::CompositeImplicitAutogradNestedTensor)};
    if (!(IsNone || takesImplicit(Slot.Role)) || !has(AliasKey::CompositeImplicitAutograd))
      return std::nullopt;
    if (Slot.Role == SlotRole::AutogradOther && HasOtherBackend)
      return SlotEntry{ServedBy::Ambiguous, NoKernel};
    if (!hasBackendKernel(Slot))
      return SlotEntry{ServedBy::Implicit, of(AliasKey::CompositeImplicitAutograd)};
    return std::nullopt;
  }

  static bool takesImplicit(SlotRole Role) {
    return Role != SlotRole::Mode && Role != SlotRole::Batched;
  }

  /// Whether a composite kernel would take its autograd away from a kernel that has none.
  bool hasBackendKernel(const KeySlot &Slot) const {
    if (has(AliasKey::CompositeExplicitAutograd))
      return true;
    if (Slot.Role == SlotRole::AutogradNestedTensor)
      return HasNested;
    return Slot.Backend && Keys.usesKernelAtAutograd(Slot.Backend) &&
           Kernels.find(Slot.Backend) != NoKernel;
  }

  const DispatchKeys &Keys;
  const KernelsByKey &Kernels;
  KernelId Aliases[NumAliasKeys];
  bool HasOtherBackend = false, HasNested = false;
};

} // namespace

std::vector<SlotEntry> computeDispatchTable(const DispatchKeys &Keys, const KernelsByKey &Kernels,
                                            const KernelsByKey &Fallbacks) {
  Resolver R(Keys, Kernels);
  std::vector<SlotEntry> Table;
  for (size_t Key = 0; Key != Keys.slots().size(); ++Key)
    Table.push_back(R.entry(Key, Fallbacks));
  return Table;
}

} // namespace opsig
