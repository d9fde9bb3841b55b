//===- Sync.cpp - what files of a backend lack to agree with the schemas ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SyncInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

bool SyncContext::editable(const UnitFacts &Unit, Span At) {
  if (!At.isValid())
    return false;
  // A header that is given itself is a main file as well.
  SourceId File = Files.file(Unit, At.File);
  return File != SourceId::None &&
         any_of(Input.Units, [&](const UnitFacts &Other) { return fileOf(Other) == File; });
}

StringRef SyncContext::textOf(const UnitFacts &Unit) {
  SourceId File = fileOf(Unit);
  return File == SourceId::None ? StringRef() : Files.sources().text(File);
}

std::vector<Slot> opsig::placeInOrder(ArrayRef<Presence> Items) {
  std::vector<Slot> Out;
  std::optional<size_t> Last;
  auto First = size_t(find(Items, Presence::Here) - Items.begin());
  for (size_t I = 0; I < Items.size(); ++I) {
    if (Items[I] == Presence::Here)
      Last = I;
    if (Items[I] != Presence::Missing)
      continue;
    Slot Expected{Last                   ? Slot::End
                  : First < Items.size() ? Slot::Before
                                         : Slot::AtEnd,
                  Last                   ? *Last
                  : First < Items.size() ? First
                                         : 0,
                  {}};
    if (Out.empty() || Out.back().Where != Expected.Where || Out.back().Anchor != Expected.Anchor)
      Out.push_back(Expected);
    Out.back().Items.push_back(I);
  }
  return Out;
}

/// Findings whose fixes change kernels; others change schemas, blocks or YAML, which sync takes as
/// they are.
static bool changesKernel(FindingId Id) {
  return Id == finding::KernelSignature || Id == finding::KernelDefault ||
         Id == finding::RegisteredKernelType || Id == finding::RegisteredKernelSchema ||
         Id == finding::RegisteredKernelsDiffer;
}

static void takeFixes(SyncContext &Context, std::vector<SyncEdit> &Out) {
  auto IsOurs = [&](const Fix &F) {
    return any_of(Context.Input.Units,
                  [&](const UnitFacts &Unit) { return Context.fileOf(Unit) == F.File; });
  };
  // A definition and its declaration are found apart and mended together.
  auto IsNew = [&](const Fix &F) {
    return none_of(Out, [&](const SyncEdit &Edit) { return is_contained(Edit.Fixes, F); });
  };
  for (const Finding &Hit : Context.Input.Hits)
    if (changesKernel(Hit.Id) && all_of(Hit.Fixes, IsOurs) && any_of(Hit.Fixes, IsNew))
      Out.push_back({SyncEdit::Signature, 1, Hit.Fixes});
}

std::vector<SyncEdit> opsig::planSync(const SyncInput &Input, SourceFiles &Files) {
  SyncContext Context(Input, Files);
  std::vector<SyncEdit> Out;
  takeFixes(Context, Out);
  if (Input.Backends.empty())
    return Out;
  std::vector<BackendKernels> Classes =
      findBackendKernels(Input.Expected, Input.Units, Context.Files);
  for (const BackendKernels &Class : Classes)
    syncKernels(Context, Class, Out);
  for (const BackendKernels &Class : Classes)
    syncRegistrations(Context, Class, Out);
  return Out;
}
