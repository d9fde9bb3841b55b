//===- UnregisteredKernels.cpp - kernels that nobody registers ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of all functions that no registration names most are no kernels. Certain is only what nothing can
// reach at all, is named as an operator is and fits its schema.
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// "add" of "ns::add.out".
StringRef baseName(StringRef Op) { return Op.split("::").second.split('.').first; }

/// add, or add_cpu.
bool isNamedAfter(StringRef Function, StringRef Op) {
  return Function.consume_front(Op) && (Function.empty() || Function.starts_with("_"));
}

const EntryRef *schemaOf(const RegisteredOp &Op) {
  auto It = find_if(Op.Defs, [](const EntryRef *E) { return E->Schema && !E->Schema->NameOnly; });
  return It == Op.Defs.end() ? nullptr : *It;
}

/// Whether libtorch would take \p K as a kernel of the operator.
bool fits(const UnitFacts &Unit, const RegisteredKernel &K, const EntryRef &Def, const Dialect &D,
          UnitFiles &Files) {
  RegistrationBlock Block;
  RegistrationEntry Entry;
  Entry.Is = RegistrationEntry::Impl;
  Entry.Kernel = K;
  EntryRef E{&Unit, &Block, &Entry, Def.Schema, Def.Op};
  return takesKernel(E, {&*Def.Schema, &Def, nullptr}, D, Files);
}

} // namespace

void opsig::checkUnregisteredKernels(ArrayRef<UnitFacts> Units, ArrayRef<RegisteredOp> ByName,
                                     const Dialect &D, UnitFiles &Files, Findings &Diags) {
  for (const UnitFacts &Unit : Units)
    for (const RegisteredKernel &K : Unit.Unused) {
      StringRef Name = StringRef(K.Name).rsplit(':').second;
      if (Name.empty())
        Name = K.Name;
      const EntryRef *Best = nullptr;
      for (const RegisteredOp &Op : ByName) {
        const EntryRef *Def = schemaOf(Op);
        bool Longer = !Best || baseName(Op.Name).size() > baseName(Best->Op).size();
        if (Def && Longer && isNamedAfter(Name, baseName(Op.Name)) && fits(Unit, K, *Def, D, Files))
          Best = Def;
      }
      if (!Best || K.Decl.Params.empty())
        continue;
      Diags
          .report(finding::UnregisteredKernel, Files.place(Unit, K.Use),
                  "'{0}' has the signature of a kernel of '{1}', but is never registered or called",
                  K.Name, Best->Op)
          .op(operatorOf(*Best))
          .note(Best->namePlace(Files), "schema declared here");
    }
}
