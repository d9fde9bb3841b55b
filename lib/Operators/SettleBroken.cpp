//===- SettleBroken.cpp - Entries with errors that are taken all the same ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the checks refuse the rest of the program relies on. Here it is made true.
//
//===----------------------------------------------------------------------===//
#include "EntryInternal.h"
#include "GroupingInternal.h"

namespace opsig {

static void unstructure(NativeFunction &F) {
  F.Structured = false;
  F.StructuredInherits.clear();
  F.Precomputed.reset();
  F.UfuncInnerLoops.clear();
  for (KernelEntry &Entry : F.Dispatch)
    Entry.Structured = false;
}

void resolveEntry(NativeFunction &F) {
  bool TakesOptions = F.Schema.Args.hasTensorOptions();
  if (!F.Structured || F.Kind != SchemaKind::Out || TakesOptions)
    unstructure(F);
  if (F.Structured || F.Schema.isOut() || TakesOptions)
    F.StructuredDelegate.reset();
  if (F.Schema.isOut()) {
    F.IsFunctionVariant = true;
    F.IsMethodVariant = false;
  }
}

void resolveDelegates(JoinContext &C) {
  for (NativeFunction &F : C.Ops.Functions) {
    const NativeFunction *Target =
        F.StructuredDelegate ? C.Ops.find(F.StructuredDelegate->str()) : nullptr;
    if (!Target || !Target->Structured)
      F.StructuredDelegate.reset();
  }
}

void resolveGroup(const PreGroup &Group) {
  NativeFunction *Out = Group.find(SchemaKind::Out);
  if (Group.find(SchemaKind::Functional)->Schema.Args.hasTensorOptions())
    unstructure(*Out);
  for (NativeFunction *F : Group.Members) {
    if (F == Out)
      continue;
    F->StructuredDelegate.reset();
    if (Out->Structured)
      F->StructuredDelegate = Out->Schema.Name;
  }
}

void resolveSingle(NativeFunction &F) {
  unstructure(F);
  F.StructuredDelegate.reset();
}

} // namespace opsig
