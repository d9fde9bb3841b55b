//===- Project.cpp - which checks there are ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Effects/EffectsInternal.h"
#include "opsig/Check/Project.h"
#include "opsig/Check/Registrations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace opsig;
using namespace llvm;

/// A kernel may be listed in a YAML and registered by hand, and differs from the same schema twice.
static bool saysTheSame(const Diagnostic &L, const Diagnostic &R) {
  return L.Id == R.Id && L.At == R.At && L.Op == R.Op && L.Hint == R.Hint;
}

ProjectChecker::ProjectChecker(const Operators &Ops, ArrayRef<ExternalBackend> Backends, Bodies Of)
    : Ops(Ops), Backends(Backends), ForBackends(!Backends.empty()),
      Wanted(ForBackends ? wantedKernels(Ops, Backends) : wantedNativeKernels(Ops)) {
  WantedStructured =
      ForBackends ? wantedStructuredKernels(Ops, Backends) : wantedStructuredKernels(Ops);
  Options.Scopes = scopesOf(Wanted);
  append_range(Options.Scopes, scopesOf(WantedStructured));
  for (const ExternalBackend &Backend : Backends)
    if (!Backend.IsNamespace && !Backend.Unread.WholeFile)
      Options.FallbackHeaders.push_back(fallbackHeader(Backend, Ops));
  Options.Bodies = Of == Bodies::Read;
}

namespace {

/// Declarations that a file of others has, too, which nothing edits, by where they stand.
class ForeignDecls {
public:
  ForeignDecls(ArrayRef<TranslationUnit> Units, UnitFiles &Files) : Files(Files) {
    for (const TranslationUnit &Unit : Units) {
      for (const KernelDecl &K : Unit.Kernels)
        add(Unit, K);
      for (const RegistrationBlock &Block : Unit.Registrations)
        for (const RegistrationEntry &Entry : Block.Entries)
          add(Unit, Entry.Kernel.Decl);
    }
  }

  /// Says at \p D what is left alone.
  void explain(Diagnostic &D) const {
    auto Known = ByLine.find({D.At.File, D.At.Line});
    if (Known != ByLine.end())
      D.note(D.At, formatv("'{0}' is declared in '{1}', which is no file of the project and stays "
                           "as it is",
                           Known->second->Name, Known->second->ForeignFile)
                       .str());
  }

private:
  void add(const TranslationUnit &Unit, const KernelDecl &K) {
    if (K.ForeignFile.empty())
      return;
    auto AddLine = [&](Span At) {
      if (!At.isValid())
        return;
      Place P = Files.place(Unit, At);
      ByLine.try_emplace({P.File, P.Line}, &K);
    };
    AddLine(K.NameAt);
    AddLine(K.Return);
    for (const KernelParam &P : K.Params)
      AddLine(P.Whole);
  }

  UnitFiles &Files;
  std::map<std::pair<FileId, uint32_t>, const KernelDecl *> ByLine;
};

Diagnostics explained(const Diagnostics &Diags, const ForeignDecls &Foreign) {
  Diagnostics Out;
  for (Diagnostic D : Diags.all()) {
    Foreign.explain(D);
    Out.append(std::move(D));
  }
  return Out;
}

} // namespace

ParseOptions ProjectChecker::parseOptions(std::shared_ptr<const ProjectFiles> Files) const {
  ParseOptions Out = Options;
  Out.IsProjectFile = [Files = std::move(Files)](StringRef Path) { return Files->contain(Path); };
  return Out;
}

/// What TORCH_LIBRARY code registers, and what the bodies of kernels do.
void ProjectChecker::checkRegistered(ArrayRef<TranslationUnit> Units, Extent Of, SourceFiles &Files,
                                     Comparison &Done, Diagnostics &Diags) const {
  ProjectEffects Effects(Ops, Units);
  UnitFiles TheFiles(Units, Files);
  checkKernelEffects(Wanted, Units, Effects, TheFiles, Diags);
  Diagnostics Registered;
  checkRegistrations(Units, Of, Ops, Layout, Effects, Files, Done, Registered);
  for (const Diagnostic &Finding : Registered.all())
    if (none_of(Diags.all(), [&](const Diagnostic &Known) { return saysTheSame(Known, Finding); }))
      Diags.append(Finding);
  Diags = explained(Diags, ForeignDecls(Units, TheFiles));
}

Comparison ProjectChecker::check(ArrayRef<TranslationUnit> Units, Extent Of, SourceFiles &Files,
                                 Diagnostics &Diags) const {
  Comparison Done;
  checkStructuredKernels(WantedStructured, Units, Of, *Ops.D, Layout, Files, Done, Diags);
  if (ForBackends)
    checkBackendKernels(Wanted, Units, Of, Ops, Layout, Files, Done, Diags);
  else
    checkNativeKernels(Wanted, Units, *Ops.D, Files, Done, Diags);
  compareYamlDefinitions(Backends, Units, Ops, Files, Diags);
  std::vector<TranslationUnit> Yaml = yamlDefinitions(Backends, Units, Files);
  if (Yaml.empty()) {
    checkRegistered(Units, Of, Files, Done, Diags);
    return Done;
  }
  append_range(Yaml, Units);
  checkRegistered(Yaml, Of, Files, Done, Diags);
  return Done;
}
