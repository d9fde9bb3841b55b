//===- Project.cpp - which checks there are ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Effects/EffectsInternal.h"
#include "opsig/Check/Comparison.h"
#include "opsig/Check/Project.h"
#include "opsig/Check/PythonRelease.h"
#include "opsig/Check/Registrations.h"
#include "opsig/Registry/Registry.h"
#include "opsig/Workspace/ProjectLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace opsig;
using namespace llvm;

/// A kernel may be listed in a YAML and registered by hand, and differs from the same schema twice.
static bool saysTheSame(const Finding &L, const Finding &R) {
  return L.Id == R.Id && L.At == R.At && L.Op == R.Op && L.Hint == R.Hint;
}

ProjectChecker::ProjectChecker(const Operators &Ops, ArrayRef<ExternalBackend> Backends, Bodies Of,
                               KernelFiles In)
    : Ops(Ops), Backends(Backends), ForBackends(!Backends.empty()),
      Layout(std::make_shared<ProjectLayout>()) {
  Options.Bodies = Of == Bodies::Read;
  if (In == KernelFiles::None)
    return;
  Expected = ForBackends ? expectedKernels(Ops, Backends) : expectedNativeKernels(Ops);
  ExpectedStructured =
      ForBackends ? expectedStructuredKernels(Ops, Backends) : expectedStructuredKernels(Ops);
  Options.Scopes = scopesOf(Expected);
  append_range(Options.Scopes, scopesOf(ExpectedStructured));
  for (const ExternalBackend &Backend : Backends)
    if (!Backend.IsNamespace && !Backend.Unread.WholeFile)
      Options.FallbackHeaders.push_back(fallbackHeader(Backend, Ops));
}

void ProjectChecker::setLayout(ProjectLayout Known) {
  Layout = std::make_shared<ProjectLayout>(std::move(Known));
}

namespace {

/// Declarations that a file of others has, too, which nothing edits, by where they stand.
class ForeignDecls {
public:
  ForeignDecls(ArrayRef<UnitFacts> Units, UnitFiles &Files) : Files(Files) {
    for (const UnitFacts &Unit : Units) {
      for (const KernelDecl &K : Unit.Kernels)
        add(Unit, K);
      for (const RegistrationBlock &Block : Unit.Registrations)
        for (const RegistrationEntry &Entry : Block.Entries)
          add(Unit, Entry.Kernel.Decl);
    }
  }

  /// Says at \p D what is left alone.
  void explain(Finding &D) const {
    auto Known = ByLine.find({D.At.File, D.At.Line});
    if (Known != ByLine.end())
      D.note(
          D.At,
          formatv("'{0}' is declared in '{1}', which is outside the project, so the declaration is "
                  "not edited",
                  Known->second->Name, Known->second->ForeignFile)
              .str());
  }

private:
  void add(const UnitFacts &Unit, const KernelDecl &K) {
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
  std::map<std::pair<SourceId, uint32_t>, const KernelDecl *> ByLine;
};

Findings explained(const Findings &Diags, const ForeignDecls &Foreign) {
  Findings Out;
  for (Finding D : Diags.all()) {
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
void ProjectChecker::checkRegistered(const CheckContext &Context, SourceFiles &Files,
                                     Comparison &Done, Findings &Diags) const {
  ArrayRef<UnitFacts> Units = Context.Units;
  ProjectEffects Effects(Ops, Units);
  UnitFiles TheFiles(Units, Files);
  Registry R(Units, StringGrammars(*Ops.D, Layout->PythonRelease), TheFiles);
  compareYamlDefinitions(Backends, R, TheFiles, Diags);
  checkKernelEffects(Expected, Units, Effects, TheFiles, Diags);
  Findings Registered;
  checkRegistrations(Context, R, Effects, TheFiles, Done, Registered);
  for (const Finding &Hit : Registered.all())
    if (none_of(Diags.all(), [&](const Finding &Known) { return saysTheSame(Known, Hit); }))
      Diags.append(Hit);
  Diags = resolveOtherBranches(explained(Diags, ForeignDecls(Units, TheFiles)), Units, TheFiles);
  append_range(Done.Notes, otherBranchNotes(Units));
  Done.LongBodies = Effects.longBodies(TheFiles);
}

Comparison ProjectChecker::check(ArrayRef<UnitFacts> Units, Scope Of, SourceFiles &Files,
                                 Findings &Diags) const {
  Comparison Done;
  CheckContext Context{Units, Of, Ops, *Layout};
  checkStructuredKernels(ExpectedStructured, Context, Files, Done, Diags);
  if (ForBackends)
    checkBackendKernels(Expected, Context, Files, Done, Diags);
  else
    checkNativeKernels(Expected, Units, *Ops.D, Files, Done, Diags);
  std::vector<UnitFacts> All = yamlDefinitions(Backends, Units, Files);
  for (const UnitFacts &Unit : Units)
    append_range(All, Unit.OtherBranches);
  if (!All.empty()) {
    // A YAML comes first, the other branches of a file behind the file.
    auto IsOther = [](const UnitFacts &Unit) { return Unit.isOtherBranch(); };
    All.insert(find_if(All, IsOther), Units.begin(), Units.end());
    Context.Units = All;
  }
  checkRegistered(Context, Files, Done, Diags);
  return Done;
}
