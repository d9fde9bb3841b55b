//===- Project.cpp - which checks there are ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Check/Project.h"
#include "opsig/Check/Registrations.h"

using namespace opsig;
using namespace llvm;

ProjectChecker::ProjectChecker(const Operators &Ops, ArrayRef<ExternalBackend> Backends)
    : Ops(Ops), ForBackends(!Backends.empty()),
      Wanted(ForBackends ? wantedKernels(Ops, Backends) : wantedNativeKernels(Ops)) {
  if (!ForBackends)
    WantedStructured = wantedStructuredKernels(Ops);
  Options.Scopes = scopesOf(Wanted);
  append_range(Options.Scopes, scopesOf(WantedStructured));
  for (const ExternalBackend &Backend : Backends)
    Options.FallbackHeaders.push_back(fallbackHeader(Backend));
}

void ProjectChecker::check(ArrayRef<TranslationUnit> Units, Extent Of, SourceFiles &Files,
                           Diagnostics &Diags) const {
  checkStructuredKernels(WantedStructured, Units, *Ops.D, Files, Diags);
  if (ForBackends)
    checkBackendKernels(Wanted, Units, Of, *Ops.D, Files, Diags);
  else
    checkNativeKernels(Wanted, Units, *Ops.D, Files, Diags);
  checkRegistrations(Units, Of, Ops, Files, Diags);
}
