//===- Project.cpp - which checks there are ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Effects/EffectsInternal.h"
#include "opsig/Check/Project.h"
#include "opsig/Check/Registrations.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

/// A kernel may be listed in a YAML and registered by hand, and differs from the same schema twice.
static bool saysTheSame(const Diagnostic &L, const Diagnostic &R) {
  return L.Id == R.Id && L.At == R.At && L.Op == R.Op && L.Hint == R.Hint;
}

ProjectChecker::ProjectChecker(const Operators &Ops, ArrayRef<ExternalBackend> Backends, Bodies Of)
    : Ops(Ops), ForBackends(!Backends.empty()),
      Wanted(ForBackends ? wantedKernels(Ops, Backends) : wantedNativeKernels(Ops)) {
  if (!ForBackends)
    WantedStructured = wantedStructuredKernels(Ops);
  Options.Scopes = scopesOf(Wanted);
  append_range(Options.Scopes, scopesOf(WantedStructured));
  for (const ExternalBackend &Backend : Backends)
    Options.FallbackHeaders.push_back(fallbackHeader(Backend));
  Options.Bodies = Of == Bodies::Read;
}

void ProjectChecker::check(ArrayRef<TranslationUnit> Units, Extent Of, SourceFiles &Files,
                           Diagnostics &Diags) const {
  checkStructuredKernels(WantedStructured, Units, *Ops.D, Files, Diags);
  if (ForBackends)
    checkBackendKernels(Wanted, Units, Of, Ops, Files, Diags);
  else
    checkNativeKernels(Wanted, Units, *Ops.D, Files, Diags);
  ProjectEffects Effects(Ops);
  UnitFiles TheFiles(Units, Files);
  checkKernelEffects(Wanted, Units, Effects, TheFiles, Diags);
  Diagnostics Registered;
  checkRegistrations(Units, Of, Ops, Effects, Files, Registered);
  for (const Diagnostic &Finding : Registered.all())
    if (none_of(Diags.all(), [&](const Diagnostic &Known) { return saysTheSame(Known, Finding); }))
      Diags.append(Finding);
}
