//===- Fallbacks.cpp - kernels that serve a key for every operator ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libtorch keeps one fallback for each key and refuses a second one while a library is loaded,
// whoever registered the first.
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"
#include "opsig/Dialect/DispatchTableTraits.h"
#include "opsig/Operators/DispatchTable.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Workspace/TorchRoot.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// The key that a fallback is kept for: one for Autograd serves tensors whose backend has no
/// autograd key of its own.
StringRef servedKey(StringRef Key) { return Key == "Autograd" ? "AutogradOther" : Key; }

/// Whether libtorch of the release refuses a fallback for the key, since it has one. Its own one
/// for AutogradPrivateUse1 makes way for that of a backend.
bool isTaken(StringRef Key, const DispatchKeys &Keys) {
  std::optional<KeyId> Slot = Keys.find(servedKey(Key));
  return Slot && !Keys.isAlias(*Slot) && Key != "AutogradPrivateUse1" &&
         Keys.slots()[*Slot].Fallback != LibraryFallback::None;
}

/// Of libtorch's own sources: its fallbacks are those that it has.
bool isOfPyTorch(const EntryRef &E) { return isInTorchSources(E.Unit->MainFile); }

/// One that libtorch accepts in its place, as far as the block tells.
bool isFallback(const EntryRef &E) {
  return E.Entry->Is == RegistrationEntry::Fallback && !E.Entry->Conditional && E.keyKnown() &&
         !E.key().empty() && E.Block->Namespace == "_";
}

} // namespace

void opsig::checkFallbacks(ArrayRef<EntryRef> Entries, const Programs &In, const Dialect &D,
                           UnitFiles &Files, Findings &Diags) {
  if (none_of(Entries, isFallback))
    return;
  DispatchKeys Keys(D);
  std::map<StringRef, std::vector<const EntryRef *>> ByKey;
  for (const EntryRef &E : Entries) {
    if (!isFallback(E))
      continue;
    StringRef Key = E.key();
    Place At = Files.place(*E.Unit, E.Entry->At);
    if (isTaken(Key, Keys) && !isOfPyTorch(E)) {
      Diags.report(finding::DuplicateFallback, At,
                   "libtorch already has a fallback for {0} and rejects a second one at load time; "
                   "register kernels for operators instead",
                   Key);
      continue;
    }
    std::vector<const EntryRef *> &Known = ByKey[servedKey(Key)];
    auto First = find_if(
        Known, [&](const EntryRef *Other) { return In.areTogether(E.from(), Other->from()); });
    if (First == Known.end()) {
      Known.push_back(&E);
      continue;
    }
    Diags
        .report(finding::DuplicateFallback, At,
                "{0} already has a fallback; libtorch rejects a second one at load time", Key)
        .note(Files.place(*(*First)->Unit, (*First)->Entry->At), "first fallback registered here");
  }
}
