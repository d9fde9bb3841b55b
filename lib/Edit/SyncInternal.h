//===- SyncInternal.h - The parts of a sync ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_EDIT_SYNCINTERNAL_H
#define OPSIG_LIB_EDIT_SYNCINTERNAL_H

#include "SourceShapeInternal.h"
#include "opsig/Edit/Sync.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace opsig {

/// What all parts look things up in.
class SyncContext {
public:
  SyncContext(const SyncInput &Input, SourceFiles &Files)
      : Input(Input), Files(Input.Units, Files) {}

  const SyncInput &Input;
  UnitFiles Files;

  /// The span is in the main file of its unit, which is what may be edited.
  bool editable(const UnitFacts &Unit, Span At);
  /// The main file, and its text.
  SourceId fileOf(const UnitFacts &Unit) { return Files.file(Unit, 0); }
  llvm::StringRef textOf(const UnitFacts &Unit);
};

/// Whether something that is wanted is there.
enum class Presence : uint8_t {
  Here,      ///< others can be put next to it
  Elsewhere, ///< not to be added, and not in sight
  Missing,
};

/// Missing items that go to the same place.
struct Slot {
  enum { End, Before, AtEnd } Where;
  size_t Anchor; ///< index of the item that they go next to; none at AtEnd
  std::vector<size_t> Items;
};

/// Puts each missing item behind the last one before it that is there, or else before the first
/// one.
std::vector<Slot> placeInOrder(llvm::ArrayRef<Presence> Items);

/// Adds what the class of \p Kernels lacks, and stubs.
void syncKernels(SyncContext &Context, const BackendKernels &Kernels, std::vector<SyncEdit> &Out);

/// Adds and removes lines of blocks that register the functions of \p Kernels.
void syncRegistrations(SyncContext &Context, const BackendKernels &Kernels,
                       std::vector<SyncEdit> &Out);

} // namespace opsig

#endif
