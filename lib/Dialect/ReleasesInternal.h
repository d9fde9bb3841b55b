//===- ReleasesInternal.h - A dialect from the one before it ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Releases.def => V1_13 => V2_1 => ...: each changes the draft and leaves a dialect behind
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_DIALECT_RELEASESINTERNAL_H
#define OPSIG_LIB_DIALECT_RELEASESINTERNAL_H

#include "ListEditInternal.h"
#include "opsig/Dialect/AtenTraits.h"
#include "opsig/Dialect/Dialect.h"
#include "opsig/Dialect/DispatchTableTraits.h"
#include "opsig/Dialect/FunctionalizationTraits.h"
#include "opsig/Dialect/LibraryTraits.h"
#include "opsig/Dialect/OutputTraits.h"
#include "opsig/Dialect/PythonTraits.h"
#include "opsig/Dialect/ShimTraits.h"

namespace opsig {

/// The dialect that a release's function is given: that of the release before, with the name and
/// the standing of its own.
class Draft : public Dialect {
public:
  explicit Draft(ListStore &Store) : Dialect(), Store(Store) {}

  /// To change \p List, a list of this draft.
  template <typename T> ListEdit<T> edit(llvm::ArrayRef<T> &List) { return {List, Store}; }

private:
  ListStore &Store;
};

/// A slot of no backend's whose kernels PyTorch registers by hand.
inline SlotTraits byHand(llvm::StringRef Name, LibraryFallback Fallback = LibraryFallback::None) {
  return {Name, SlotRole::Mode, false, Fallback, Registrant::Hand};
}

/// Operators by name, then by overload; one without overload counts as "default".
bool operatorLess(llvm::StringRef A, llvm::StringRef B);

#define OPSIG_RELEASE(Major, Minor, Standing) void V##Major##_##Minor(Draft &D);
#include "Releases.def"

/// What was wrong with the edits of all releases; empty.
llvm::ArrayRef<std::string> mistakesOfReleases();

} // namespace opsig

#endif
