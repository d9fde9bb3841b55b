//===- InplaceNames.cpp - operators that are named like in-place ones -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Registrations/InplaceNamesInternal.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Support/SchemaFindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

/// The first argument, if a return is the same tensor and the schema says that nothing writes to
/// it. Where nothing is annotated, the name alone may have its '_' for another reason.
static const Argument *returnedUnwritten(const FunctionSchema &S) {
  if (S.Args.All.empty() || S.Returns.empty())
    return nullptr;
  const Argument &Self = S.Args.All.front();
  if (!Self.Annotation || Self.isWrite())
    return nullptr;
  auto IsSelf = [&](const Return &R) { return R.Annotation && *R.Annotation == *Self.Annotation; };
  return any_of(S.Returns, IsSelf) ? &Self : nullptr;
}

void opsig::checkInplaceNames(ArrayRef<RegisteredOp> ByName, UnitFiles &Files, Findings &Diags) {
  for (const RegisteredOp &Op : ByName)
    for (const EntryRef *Def : Op.Defs) {
      if (!Def->Schema || Def->Schema->NameOnly || !Def->Schema->isInplace())
        continue;
      const Argument *Self = returnedUnwritten(*Def->Schema);
      std::string Name = operatorOf(*Def);
      // A write that was seen says more.
      auto SaysMore = [&](const Finding &Known) {
        return Known.Op == Name &&
               (Known.Id == finding::MutationUnmarked || Known.Id == finding::MutationPossible);
      };
      if (!Self || any_of(Diags.all(), SaysMore))
        continue;
      Finding &Diag =
          Diags.report(finding::InplaceSelfNotWritten, Def->place(Self->TypeAt, Files),
                       "'{0}' is named like an in-place operator, but its schema does not mark "
                       "'{1}' as written; expected '(a!)'",
                       Def->Schema->operatorName(), Self->Name);
      // libtorch accepts the string.
      Diag.Severity = Level::Warning;
      Diag.op(Name);
    }
}
