//===- Sync.cpp - what files of a backend lack to agree with the schemas ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SyncInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

bool SyncContext::editable(const TranslationUnit &Unit, Span At) {
  if (!At.isValid())
    return false;
  // A header that is given itself is a main file as well.
  FileId File = Files.file(Unit, At.File);
  return File != FileId::None &&
         any_of(Input.Units, [&](const TranslationUnit &Other) { return fileOf(Other) == File; });
}

StringRef SyncContext::textOf(const TranslationUnit &Unit) {
  FileId File = fileOf(Unit);
  return File == FileId::None ? StringRef() : Files.sources().text(File);
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
    Slot Wanted{Last                   ? Slot::Behind
                : First < Items.size() ? Slot::Before
                                       : Slot::AtEnd,
                Last                   ? *Last
                : First < Items.size() ? First
                                       : 0,
                {}};
    if (Out.empty() || Out.back().Where != Wanted.Where || Out.back().Anchor != Wanted.Anchor)
      Out.push_back(Wanted);
    Out.back().Items.push_back(I);
  }
  return Out;
}

/// Findings whose fixes change kernels; others change schemas, blocks or YAML, which sync takes as
/// they are.
static bool changesKernel(DiagId Id) {
  return Id == diag::KernelSignature || Id == diag::KernelDefault ||
         Id == diag::RegisteredKernelType || Id == diag::RegisteredKernelSchema ||
         Id == diag::RegisteredKernelsDiffer;
}

static void takeFixes(SyncContext &Context, std::vector<SyncEdit> &Out) {
  auto IsOurs = [&](const Fix &F) {
    return any_of(Context.Input.Units,
                  [&](const TranslationUnit &Unit) { return Context.fileOf(Unit) == F.File; });
  };
  // A definition and its declaration are found apart and mended together.
  auto IsNew = [&](const Fix &F) {
    return none_of(Out, [&](const SyncEdit &Edit) { return is_contained(Edit.Fixes, F); });
  };
  for (const Diagnostic &Finding : Context.Input.Findings)
    if (changesKernel(Finding.Id) && all_of(Finding.Fixes, IsOurs) && any_of(Finding.Fixes, IsNew))
      Out.push_back({SyncEdit::Signature, 1, Finding.Fixes});
}

std::vector<SyncEdit> opsig::planSync(const SyncInput &Input, SourceFiles &Files) {
  SyncContext Context(Input, Files);
  std::vector<SyncEdit> Out;
  takeFixes(Context, Out);
  if (Input.Backends.empty())
    return Out;
  std::vector<BackendKernels> Classes =
      findBackendKernels(Input.Wanted, Input.Units, Context.Files);
  for (const BackendKernels &Class : Classes)
    syncKernels(Context, Class, Out);
  for (const BackendKernels &Class : Classes)
    syncRegistrations(Context, Class, Out);
  return Out;
}
