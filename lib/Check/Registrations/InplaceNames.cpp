//===- InplaceNames.cpp - operators that are named like in-place ones -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Registrations/InplaceNamesInternal.h"
#include "opsig/Schema/InplaceName.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Support/SchemaFindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

/// What a kernel was seen to do says more than the name.
static bool saysMore(const Finding &Known, bool IsReturned) {
  return Known.Id == finding::MutationUnmarked || Known.Id == finding::MutationPossible ||
         (!IsReturned && Known.Id == finding::AliasUnmarked);
}

/// A kernel shows that the name has its '_' for another reason. What a body in Python writes to has
/// been reported.
static bool isOnlyName(const RegisteredOp &Op, const FunctionSchema &S, ProjectEffects &Effects) {
  return any_of(Op.Kernels, [&](const EntryRef *E) {
    return E->key() != "Meta" && (E->Unit->Python || neverWrites(*E, S, 0, Effects));
  });
}

void opsig::checkInplaceNames(ArrayRef<RegisteredOp> ByName, ProjectEffects &Effects,
                              UnitFiles &Files, Findings &Diags) {
  for (const RegisteredOp &Op : ByName)
    for (const EntryRef *Def : Op.Defs) {
      if (!Def->Schema || Def->Schema->NameOnly)
        continue;
      const FunctionSchema &S = *Def->Schema;
      const UnwrittenSelf Found = unwrittenSelf(S);
      std::string Name = operatorOf(*Def);
      auto SaysMore = [&](const Finding &Known) {
        return Known.Op == Name && saysMore(Known, Found.IsReturned);
      };
      if (!Found || any_of(Diags.all(), SaysMore) ||
          (!Found.IsReturned && isOnlyName(Op, S, Effects)))
        continue;
      Finding &Diag =
          Diags.add(finding::InplaceSelfNotWritten, Def->place(Found.Self->TypeAt, Files),
                    unwrittenSelfMessage(S, *Found.Self));
      // libtorch accepts the string.
      Diag.Severity = Level::Warning;
      Diag.op(Name);
    }
}
