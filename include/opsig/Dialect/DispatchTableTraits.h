//===- DispatchTableTraits.h - The slots of an operator's dispatch table ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_DIALECT_DISPATCHTABLETRAITS_H
#define OPSIG_DIALECT_DISPATCHTABLETRAITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace opsig {

/// Which kernels the dispatcher takes for a key where none is registered for the key itself.
enum class SlotRole : uint8_t {
  Backend,      ///< of explicit and implicit composite keys; has an autograd key of its own
  OtherBackend, ///< likewise, but AutogradOther is its autograd key
  NestedTensor, ///< of composite keys for nested tensors, and of implicit ones
  Autograd,     ///< of implicit composite keys where the backend has no kernel, and of Autograd
  AutogradOther,
  AutogradNestedTensor,
  Decomposing, ///< of implicit composite keys only
  Batched,     ///< of FuncTorchBatchedDecomposition
  Mode,        ///< none
};

/// What PyTorch itself registers for a key and all operators.
enum class LibraryFallback : uint8_t { None, Kernel, Fallthrough };

/// Who registers PyTorch's own kernels for a key.
enum class Registrant : uint8_t {
  Schemas, ///< native_functions.yaml says all of them
  Rules,   ///< generated for operators by rules, not by what the YAML lists
  Hand,    ///< C++ that is written by hand: the YAML does not tell
};

/// A key with a slot, or a family of them, one for each component.
struct SlotTraits {
  llvm::StringRef Name; ///< of a family what stands before the component
  SlotRole Role = SlotRole::Mode;
  bool IsFamily = false;
  LibraryFallback Fallback = LibraryFallback::None;
  Registrant By = Registrant::Schemas;

  /// In one table names say which is which.
  friend bool operator==(const SlotTraits &L, const SlotTraits &R) { return L.Name == R.Name; }
};

/// The dispatch table of a release.
struct DispatchTableTraits {
  /// In the order of the table, which begins with a slot for calls without any key.
  llvm::ArrayRef<SlotTraits> Slots;
  /// Parts of the machine that families have members for, in the order of these.
  llvm::ArrayRef<llvm::StringRef> Components;
  /// Components whose backends take no kernel of CompositeExplicitAutogradNonFunctional.
  llvm::ArrayRef<llvm::StringRef> FunctionalComponents;
  /// The family of which no backend does.
  llvm::StringRef FunctionalFamily;
  /// Components whose own kernels do not keep an implicit composite one from their autograd key.
  llvm::ArrayRef<llvm::StringRef> UnheededComponents;
  /// Of families with a fallback, the members that it is there for: "AutogradCPU".
  llvm::ArrayRef<llvm::StringRef> FamilyFallbacks;

  /// Operators for which PyTorch registers by hand what others get by rules, and those that the
  /// rules leave out.
  llvm::ArrayRef<llvm::StringRef> AlsoFunctionalized;
  llvm::ArrayRef<llvm::StringRef> AlsoBackendSelected;
  llvm::ArrayRef<llvm::StringRef> NoInplaceOrView;
  llvm::ArrayRef<llvm::StringRef> NoAutograd;
  llvm::ArrayRef<llvm::StringRef> NotTraced; ///< these fall through
};

} // namespace opsig

#endif
