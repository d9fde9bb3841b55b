//===- DispatchTable.h - Which kernel serves an operator under a key ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DispatchTableTraits => DispatchKeys: slots, and the keys that stand for several of them
// what is registered for one operator (key => kernel), fallbacks x DispatchKeys
//   => per slot: the kernel, and by which rule
//
// The dispatcher's rules, as a pure function. Nobody asks here what a kernel is.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_OPERATORS_DISPATCHTABLE_H
#define OPSIG_OPERATORS_DISPATCHTABLE_H

#include "opsig/Dialect/Dialect.h"
#include "opsig/Dialect/DispatchTableTraits.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace opsig {

/// Keys that have no slot: kernels registered for them serve those of others.
enum class AliasKey : uint8_t {
  Autograd,
  CompositeImplicitAutograd,
  CompositeImplicitAutogradNestedTensor,
  CompositeExplicitAutograd,
  CompositeExplicitAutogradNonFunctional,
  FuncTorchBatchedDecomposition,
};
inline constexpr unsigned NumAliasKeys = 6;
llvm::StringRef toString(AliasKey Key);

/// A key of a release: a slot of its tables, by number, or behind these an AliasKey.
using KeyId = uint16_t;
/// A kernel of whoever asks.
using KernelId = uint32_t;
inline constexpr KernelId NoKernel = ~0u;

struct KeySlot {
  std::string Name; ///< "PrivateUse1"
  SlotRole Role;
  /// CompositeExplicitAutogradNonFunctional serves it.
  bool TakesNonFunctional = false;
  LibraryFallback Fallback = LibraryFallback::None;
  Registrant By = Registrant::Schemas;
  /// Of an autograd key: the key of the backend; 0 without.
  KeyId Backend = 0;
  /// Of a backend's key: its autograd key; 0 without.
  KeyId Autograd = 0;
};

/// The keys of a release. Slot 0 is that of calls without a key, "Undefined".
class DispatchKeys {
public:
  explicit DispatchKeys(const Dialect &D);

  llvm::ArrayRef<KeySlot> slots() const { return Slots; }
  KeyId alias(AliasKey Key) const { return Slots.size() + unsigned(Key); }
  size_t size() const { return Slots.size() + NumAliasKeys; }
  bool isAlias(KeyId Key) const { return Key >= Slots.size(); }
  llvm::StringRef name(KeyId Key) const;
  /// None for a name that this release does not have. "CatchAll" is CompositeImplicitAutograd, as
  /// a registration without key is.
  std::optional<KeyId> find(llvm::StringRef Name) const;
  /// All names, for suggestions.
  std::vector<llvm::StringRef> names() const;

  bool usesKernelAtAutograd(KeyId Backend) const { return !Unheeded[Backend]; }

private:
  void addSlot(const SlotTraits &Row, llvm::StringRef Component, const DispatchTableTraits &Facts);
  void joinAutograd(const DispatchTableTraits &Facts);

  std::vector<KeySlot> Slots;
  std::vector<bool> Unheeded; ///< by slot
  llvm::StringMap<KeyId> ByName;
};

/// What is registered for one operator, or (backend fallbacks) for all. Of several kernels for one
/// key the last one counts.
class KernelsByKey {
public:
  void set(KeyId Key, KernelId Kernel);
  KernelId find(KeyId Key) const;
  llvm::ArrayRef<std::pair<KeyId, KernelId>> all() const { return Entries; }

private:
  llvm::SmallVector<std::pair<KeyId, KernelId>, 8> Entries;
};

/// The rule that gave a slot its kernel; in the dispatcher's order.
enum class ServedBy : uint8_t {
  Kernel,         ///< one registered for the key itself
  NonFunctional,  ///< CompositeExplicitAutogradNonFunctional
  Explicit,       ///< CompositeExplicitAutograd
  NestedImplicit, ///< CompositeImplicitAutogradNestedTensor
  Ambiguous,      ///< of AutogradOther: an implicit composite kernel that some backend is against
  Implicit,       ///< CompositeImplicitAutograd
  Autograd,       ///< Autograd
  Decomposition,  ///< FuncTorchBatchedDecomposition
  Fallback,       ///< the backend fallback of the key
  Nothing,
};

struct SlotEntry {
  ServedBy By = ServedBy::Nothing;
  KernelId Kernel = NoKernel;
  friend bool operator==(const SlotEntry &, const SlotEntry &) = default;
};

/// An entry for each slot, in their order. \p Fallbacks are by slots.
std::vector<SlotEntry> computeDispatchTable(const DispatchKeys &Keys, const KernelsByKey &Kernels,
                                            const KernelsByKey &Fallbacks);

} // namespace opsig

#endif
