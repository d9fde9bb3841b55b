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

/// Edits the alias annotations of a schema that stands in a string literal.
class AnnotationFixer {
public:
  AnnotationFixer(const KernelSchema &Schema, UnitFiles &Files)
      : S(*Schema.Schema), Def(*Schema.Def), Files(Files) {}

  /// Marks argument \p Arg as written, and the returns that are it.
  std::vector<Fix> markWritten(unsigned Arg, const KernelEffects &Effects, unsigned Param);

private:
  std::string freshSet() const;
  std::optional<Fix> insertBehind(StringRef Word, TextRange At, StringRef Text);

  const ScriptSchema &S;
  const EntryRef &Def;
  UnitFiles &Files;
};

/// A letter that no annotation has.
std::string AnnotationFixer::freshSet() const {
  std::string Used;
  for (const std::vector<ScriptArgument> *List : {&S.Args, &S.Returns})
    for (const ScriptArgument &A : *List)
      if (A.Alias)
        for (const std::vector<std::string> *Sets : {&A.Alias->Before, &A.Alias->After})
          for (const std::string &Set : *Sets)
            Used += Set;
  for (char Letter = 'a'; Letter <= 'z'; ++Letter)
    if (Used.find(Letter) == std::string::npos)
      return std::string(1, Letter);
  return "";
}

std::optional<Fix> AnnotationFixer::insertBehind(StringRef Word, TextRange At, StringRef Text) {
  const LiteralText &Literal = Def.Entry->Text;
  Span Place = Literal.at(At.Offset, Word.size());
  // Letter for letter in the file: no escape, no macro.
  if (Files.text(*Def.Unit, Place) != Word)
    return std::nullopt;
  return Fix{Files.file(*Def.Unit, Place.File), Place.end(), 0, Text.str()};
}

std::vector<Fix> AnnotationFixer::markWritten(unsigned Arg, const KernelEffects &Effects,
                                              unsigned Param) {
  std::string Set = freshSet();
  if (S.Args[Arg].Alias || Set.empty())
    return {};
  std::optional<Fix> OfArg = insertBehind("Tensor", S.Args[Arg].TypeAt, "(" + Set + "!)");
  if (!OfArg)
    return {};
  std::vector<Fix> Out = {*OfArg};
  for (unsigned I = 0; I < S.Returns.size(); ++I) {
    bool IsTuple = S.Returns.size() > 1;
    if (S.Returns[I].Alias || (IsTuple && I >= Effects.Parts.size()))
      continue;
    bool IsArg = any_of(IsTuple ? Effects.Parts[I] : Effects.Whole, [&](const ReturnEffect &R) {
      return R.Param == Param && R.Same && R.Sure == Confidence::Certain;
    });
    std::optional<Fix> OfReturn;
    if (IsArg)
      OfReturn = insertBehind("Tensor", S.Returns[I].TypeAt, "(" + Set + "!)");
    if (OfReturn)
      Out.push_back(*OfReturn);
  }
  return Out;
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
  Diag.op(Schema.Schema->operatorName());
  const ScriptSchema &S = *Schema.Schema;
  TextRange Part = Finding.Id == diag::AliasUnmarked ? S.Returns[Finding.Return].TypeAt
                                                     : S.Args[Finding.Arg].TypeAt;
  addRegistrationNotes(Diag, *K.Entry, Schema, Part, Files);
  if (Finding.Id == diag::MutationUnmarked && Schema.Def)
    Diag.Fixes =
        AnnotationFixer(Schema, Files).markWritten(Finding.Arg, *K.Effects, K.First + Finding.Arg);
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
