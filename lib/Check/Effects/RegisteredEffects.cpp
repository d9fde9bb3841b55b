//===- RegisteredEffects.cpp - what registered kernels do -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Effects/EffectsInternal.h"
#include "Registered/RegistrationInternal.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// What one kernel of an operator does that its schema does not say.
struct KernelFindings {
  const EntryRef *Entry;
  const KernelEffects *Effects;
  unsigned First; ///< the parameter of the first argument
  std::vector<EffectFinding> Findings;
};

bool isMeta(const EntryRef &E) { return E.key() == "Meta"; }

/// Return number \p Return is parameter \p Param, for certain.
bool returnsParam(const KernelEffects &Effects, const ScriptSchema &S, unsigned Return,
                  unsigned Param) {
  bool IsTuple = S.Returns.size() > 1;
  if (IsTuple && Return >= Effects.Parts.size())
    return false;
  return any_of(IsTuple ? Effects.Parts[Return] : Effects.Whole, [&](const ReturnEffect &R) {
    return R.Param == Param && R.Same && R.Sure == Confidence::Certain;
  });
}

class EffectReporter {
public:
  EffectReporter(const KernelFindings &K, const KernelSchema &Schema, UnitFiles &Files,
                 Diagnostics &Diags)
      : K(K), Schema(Schema), Files(Files), Diags(Diags) {}

  void report(const EffectFinding &Finding);

private:
  const KernelFindings &K;
  const KernelSchema &Schema;
  UnitFiles &Files;
  Diagnostics &Diags;
};

void EffectReporter::report(const EffectFinding &Finding) {
  const RegisteredKernel &Kernel = K.Entry->Entry->Kernel;
  const KernelParam &Param = Kernel.Decl.Params[K.First + Finding.Arg];
  Span At = Finding.At.isValid() ? Finding.At : Param.NameAt;
  Diagnostic &Diag = Diags.add(Finding.Id, kernelPlace(*K.Entry, At, Files), Finding.Message);
  Diag.Sure = Finding.Sure;
  Diag.op(operatorOf(*K.Entry));
  const ScriptSchema &S = *Schema.Schema;
  TextRange Part = Finding.Id == diag::AliasUnmarked ? S.Returns[Finding.Return].TypeAt
                                                     : S.Args[Finding.Arg].TypeAt;
  addRegistrationNotes(Diag, *K.Entry, Schema, Part, Files);
  if (Finding.Id == diag::MutationUnmarked && Schema.Def)
    Diag.Fixes = markWritten(
        Schema, Finding.Arg,
        [&](unsigned Return) { return returnsParam(*K.Effects, S, Return, K.First + Finding.Arg); },
        Files);
}

bool writtenByAnother(const EffectFinding &Finding, ArrayRef<KernelFindings> All) {
  return any_of(All, [&](const KernelFindings &K) {
    return none_of(K.Findings, [&](const EffectFinding &Other) {
      return Other.Id == Finding.Id && Other.Arg == Finding.Arg;
    });
  });
}

} // namespace

void opsig::checkRegisteredEffects(ArrayRef<const EntryRef *> Kernels, bool AreAll,
                                   const KernelSchema &Schema, ProjectEffects &Effects,
                                   UnitFiles &Files, Diagnostics &Diags) {
  const ScriptSchema &S = *Schema.Schema;
  std::vector<KernelFindings> All;
  size_t NumKernels = 0;
  for (const EntryRef *E : Kernels) {
    const RegisteredKernel &Kernel = E->Entry->Kernel;
    if (isMeta(*E) || Kernel.Is == RegisteredKernel::Fallthrough)
      continue; // they write nothing, whatever the schema says
    ++NumKernels;
    const std::vector<KernelParam> &Params = Kernel.Decl.Params;
    const KernelEffects *Own = Effects.of(*E->Unit, Kernel.Decl.NameAt, Kernel.Name);
    unsigned First = !Params.empty() && TypeInference::isKeySet(Params[0].Canonical) ? 1 : 0;
    if (!Own || S.VarArgs || Kernel.Interface == KernelInterface::Stable ||
        Params.size() != S.Args.size() + First)
      continue;
    MarkedSchema Marked = markedSchema(S, First);
    if (Schema.Function)
      excuseDestination(*Schema.Function, Marked);
    All.push_back({E, Own, First, compareEffects(Marked, *Own, kernelName(Kernel))});
  }
  AreAll &= All.size() == NumKernels;
  // A function that is registered for several keys is one.
  std::map<std::pair<const TranslationUnit *, uint32_t>, bool> Seen;
  for (const KernelFindings &K : All) {
    if (!Seen.try_emplace({K.Entry->Unit, K.Entry->Entry->Kernel.Decl.NameAt.Offset}).second)
      continue;
    EffectReporter Reporter(K, Schema, Files, Diags);
    for (const EffectFinding &Finding : K.Findings)
      if (Finding.Id != diag::MutationUnwritten || (AreAll && !writtenByAnother(Finding, All)))
        Reporter.report(Finding);
  }
}
