//===- RegisteredEffects.cpp - what registered kernels do -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Effects/FakeAliases.h"
#include "Registrations/RegistrationInternal.h"
#include "opsig/Check/InferredSchema.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// What one kernel of an operator does that its schema does not say.
struct KernelFindings {
  const EntryRef *Entry;
  /// The file that its body stands in.
  const UnitFacts *Unit;
  const KernelEffects *Effects;
  unsigned First; ///< the parameter of the first argument
  std::vector<EffectFinding> Hits;
};

/// What is reported of an operator, at one of its kernels.
struct OperatorFinding {
  KernelFindings *Kernel;
  EffectFinding Hit;
  /// Of further kernels, what is the same: one return lacks one mark, however many return it.
  std::vector<std::pair<KernelFindings *, EffectFinding>> Also;
};

bool isOfReturn(const EffectFinding &F) {
  return F.Id == finding::AliasUnmarked || F.Id == finding::AliasPossible;
}

bool isMeta(const EntryRef &E) { return E.key() == "Meta"; }

unsigned firstArgument(const RegisteredKernel &Kernel) {
  const std::vector<KernelParam> &Params = Kernel.Decl.Params;
  return !Params.empty() && TypeInference::isKeySet(Params[0].Canonical) ? 1 : 0;
}

/// Return number \p Return is parameter \p Param, for certain.
bool returnsParam(const KernelEffects &Effects, const FunctionSchema &S, unsigned Return,
                  unsigned Param) {
  return any_of(Effects.ofReturn(Return, S.Returns.size()), [&](const ReturnEffect &R) {
    return R.Param == Param && R.Same && R.Sure == Confidence::Certain;
  });
}

class EffectReporter {
public:
  EffectReporter(const KernelFindings &K, const KernelSchema &Schema, UnitFiles &Files,
                 Findings &Diags)
      : K(K), Schema(Schema), Files(Files), Diags(Diags) {}

  Finding &report(const EffectFinding &Hit);
  Place placeOf(const EffectFinding &Hit);

private:
  std::vector<Fix> fixes(const EffectFinding &Hit);

  const KernelFindings &K;
  const KernelSchema &Schema;
  UnitFiles &Files;
  Findings &Diags;
};

Place EffectReporter::placeOf(const EffectFinding &Hit) {
  if (Place At = Files.place(*K.Unit, Hit.At); At.isValid())
    return At;
  const RegisteredKernel &Kernel = K.Entry->Entry->Kernel;
  return kernelPlace(*K.Entry, Kernel.Decl.Params[K.First + Hit.Arg].NameAt, Files);
}

std::vector<Fix> EffectReporter::fixes(const EffectFinding &Hit) {
  std::vector<unsigned> Args = {Hit.Arg};
  for (const EffectFinding &Other : Hit.Others)
    Args.push_back(Other.Arg);
  return markWritten(
      Schema, Args,
      [&](unsigned Return, unsigned Arg) {
        return returnsParam(*K.Effects, *Schema.Schema, Return, K.First + Arg);
      },
      Files);
}

Finding &EffectReporter::report(const EffectFinding &Hit) {
  Finding &Diag = Diags.add(Hit.Id, placeOf(Hit), Hit.Message);
  Diag.Sure = Hit.Sure;
  Diag.op(operatorOf(*K.Entry));
  const FunctionSchema &S = *Schema.Schema;
  TextRange Part = isOfReturn(Hit) ? S.Returns[Hit.Return].TypeAt : S.Args[Hit.Arg].TypeAt;
  addWriteNotes(Diag, Hit, [&](Span At) { return Files.place(*K.Unit, At); });
  addRegistrationNotes(Diag, *K.Entry, Schema, Part, Files);
  // Only what is certain is mended.
  if (Hit.Id == finding::MutationUnmarked)
    Diag.Fixes = fixes(Hit);
  return Diag;
}

/// By kernel and, where it is about a return, by operator; in the order of the kernels.
std::vector<OperatorFinding> groupByOperator(MutableArrayRef<KernelFindings> All) {
  std::vector<OperatorFinding> Groups;
  std::map<std::tuple<FindingId, unsigned, unsigned>, size_t> Returned;
  // A function that is registered for several keys is one.
  std::set<std::pair<const UnitFacts *, uint32_t>> Seen;
  for (KernelFindings &K : All) {
    if (!Seen.insert({K.Entry->Unit, K.Entry->Entry->Kernel.Decl.NameAt.Offset}).second)
      continue;
    std::vector<EffectFinding> Hits = K.Hits;
    groupByKernel(Hits, kernelName(K.Entry->Entry->Kernel));
    for (EffectFinding &Hit : Hits) {
      if (isOfReturn(Hit)) {
        auto [First, New] = Returned.try_emplace({Hit.Id, Hit.Arg, Hit.Return}, Groups.size());
        if (!New) {
          Groups[First->second].Also.emplace_back(&K, std::move(Hit));
          continue;
        }
      }
      Groups.push_back({&K, std::move(Hit), {}});
    }
  }
  return Groups;
}

bool writtenByAnother(const EffectFinding &Hit, ArrayRef<KernelFindings> All) {
  return any_of(All, [&](const KernelFindings &K) {
    return none_of(K.Hits, [&](const EffectFinding &Other) {
      return Other.Id == Hit.Id && Other.Arg == Hit.Arg;
    });
  });
}

/// The body of the kernel, in its own file or in the one other file that defines it.
std::pair<const UnitFacts *, const KernelEffects *> bodyOf(const EntryRef &E,
                                                           ProjectEffects &Effects) {
  const RegisteredKernel &Kernel = E.Entry->Kernel;
  if (const KernelEffects *Own = Effects.of(*E.Unit, Kernel.Decl.NameAt, Kernel.Name))
    return {E.Unit, Own};
  if (E.Elsewhere.size() != 1)
    return {E.Unit, nullptr};
  const Found &There = E.Elsewhere.front();
  return {There.Unit, Effects.of(*There.Unit, There.Decl->NameAt, There.Decl->qualifiedName())};
}

//===- Kernels for Meta -------------------------------------------------------===//

bool hasParametersOf(const RegisteredKernel &Kernel, const FunctionSchema &S) {
  return !S.VarArgs && Kernel.Decl.Params.size() == S.Args.size() + firstArgument(Kernel);
}

void checkFake(const EntryRef &E, const KernelSchema &Schema, const KernelReturns &Kernels,
               ProjectEffects &Effects, UnitFiles &Files, Findings &Diags) {
  const RegisteredKernel &Kernel = E.Entry->Kernel;
  auto [Unit, Own] = bodyOf(E, Effects);
  if (!Own || !hasParametersOf(Kernel, *Schema.Schema))
    return;
  std::string Name = kernelName(Kernel);
  FakeWords Words{StringRef(Name).starts_with("'") ? "the Meta kernel " + Name : Name + " for Meta",
                  "at::empty_like"};
  MarkedSchema Marked = markedSchema(*Schema.Schema, firstArgument(Kernel));
  for (const FakeAlias &Alias : aliasesOfFake(Marked, *Own, Kernels, Words)) {
    Place At = Files.place(*Unit, Alias.At);
    if (!At.isValid())
      At = kernelPlace(E, Kernel.Decl.NameAt, Files);
    Finding &Diag = Diags.add(finding::FakeAlias, At, Alias.Message);
    Diag.Sure = Alias.Sure;
    Diag.op(operatorOf(E));
    addRegistrationNotes(Diag, E, Schema, Schema.Schema->Returns[Alias.Return].TypeAt, Files);
  }
}

//===- Operators that look pure ----------------------------------------------===//

/// What speaks for it that an operator which looks pure writes to its arguments.
class PureOperator {
public:
  PureOperator(const KernelSchema &Schema, UnitFiles &Files, Findings &Diags)
      : Schema(Schema), Files(Files), Diags(Diags) {}

  /// \p Effects is null where the body is not known.
  void add(const EntryRef &E, const KernelEffects *Effects);
  void report();

private:
  bool mayWrite(const KernelEffects &Effects, unsigned First) const;

  const KernelSchema &Schema;
  UnitFiles &Files;
  Findings &Diags;
  const EntryRef *Kernel = nullptr;
  std::set<unsigned> References; ///< arguments that are taken as `Tensor &`
};

/// It is written on some way, or given to what nobody has read.
bool PureOperator::mayWrite(const KernelEffects &Effects, unsigned First) const {
  if (!Effects.Finishes)
    return false;
  for (unsigned I = First; I < Effects.Params.size(); ++I)
    if (Effects.Params[I].Lost || Effects.Params[I].Written != Confidence::Unstated)
      return true;
  return false;
}

void PureOperator::add(const EntryRef &E, const KernelEffects *Effects) {
  const RegisteredKernel &K = E.Entry->Kernel;
  unsigned First = firstArgument(K);
  bool KnownNot = Effects && Effects->Complete && !mayWrite(*Effects, First);
  bool Writes = Effects && mayWrite(*Effects, First);
  for (unsigned I = First; I < K.Decl.Params.size() && !KnownNot; ++I)
    if (isWritableTensor(K.Decl.Params[I].Canonical)) {
      References.insert(I - First);
      Writes = true;
    }
  if (Writes && !Kernel)
    Kernel = &E;
}

void PureOperator::report() {
  if (!Kernel)
    return;
  const EntryRef &Def = *Schema.Def;
  Finding &Diag =
      Diags.report(finding::OperatorLooksPure, Def.namePlace(Files),
                   "'{0}' returns nothing and marks no argument as written, so a compiler may "
                   "remove calls to it; mark the arguments that the kernel writes to as '(a!)'",
                   operatorOf(Def));
  Diag.op(operatorOf(Def));
  const KernelDecl &Decl = Kernel->Entry->Kernel.Decl;
  if (Place At = Files.place(*Kernel->Unit, Decl.NameAt); At.isValid())
    Diag.note(At, "kernel declared here");
  // It can only be this one.
  if (References.size() == 1)
    Diag.Fixes =
        markWritten(Schema, {*References.begin()}, [](unsigned, unsigned) { return false; }, Files);
}

} // namespace

void opsig::checkRegisteredEffects(ArrayRef<const EntryRef *> Kernels, bool AreAll,
                                   const KernelSchema &Schema, ProjectEffects &Effects,
                                   UnitFiles &Files, Findings &Diags) {
  const FunctionSchema &S = *Schema.Schema;
  std::vector<KernelFindings> All;
  PureOperator Pure(Schema, Files, Diags);
  size_t NumKernels = 0;
  KernelReturns Returned;
  for (const EntryRef *E : Kernels) {
    const RegisteredKernel &Kernel = E->Entry->Kernel;
    if (isMeta(*E) || Kernel.Is == RegisteredKernel::Fallthrough)
      continue; // they write nothing, whatever the schema says
    ++NumKernels;
    unsigned First = firstArgument(Kernel);
    if (!hasParametersOf(Kernel, S))
      continue;
    auto [Unit, Own] = bodyOf(*E, Effects);
    Pure.add(*E, Own);
    if (!Own)
      continue;
    MarkedSchema Marked = markedSchema(S, First);
    if (Schema.Function)
      excuseDestination(*Schema.Function, Marked);
    Returned.add(Marked, *Own);
    All.push_back({E, Unit, Own, First, compareEffects(Marked, *Own, kernelName(Kernel))});
  }
  if (!Schema.Function)
    for (const EntryRef *E : Kernels)
      if (isMeta(*E))
        checkFake(*E, Schema, Returned, Effects, Files, Diags);
  AreAll &= All.size() == NumKernels;
  bool Written = false;
  for (const OperatorFinding &Group : groupByOperator(All)) {
    const EffectFinding &Hit = Group.Hit;
    Written |= Hit.Id == finding::MutationUnmarked;
    if (Hit.Id == finding::MutationUnwritten && (!AreAll || writtenByAnother(Hit, All)))
      continue;
    Finding &Diag = EffectReporter(*Group.Kernel, Schema, Files, Diags).report(Hit);
    for (const auto &[Kernel, Other] : Group.Also)
      Diag.note(EffectReporter(*Kernel, Schema, Files, Diags).placeOf(Other),
                kernelName(Kernel->Entry->Entry->Kernel) +
                    (Other.Sure == Confidence::Certain ? " also returns '" : " may also return '") +
                    Other.ArgName + "'");
  }
  // Which argument is written is the better thing to say.
  if (!Written && Schema.Def && looksPure(S))
    Pure.report();
}

bool opsig::neverWrites(const EntryRef &E, const FunctionSchema &S, unsigned Arg,
                        ProjectEffects &Effects) {
  const RegisteredKernel &Kernel = E.Entry->Kernel;
  const unsigned Param = firstArgument(Kernel) + Arg;
  const KernelEffects *Own = hasParametersOf(Kernel, S) ? bodyOf(E, Effects).second : nullptr;
  return Own && Param < Own->Params.size() && Own->neverWrites(Own->Params[Param]);
}

void opsig::addKernelReturns(const EntryRef &E, const FunctionSchema &S, ProjectEffects &Effects,
                             KernelReturns &To) {
  const RegisteredKernel &Kernel = E.Entry->Kernel;
  if (isMeta(E) || !hasParametersOf(Kernel, S))
    return;
  if (const KernelEffects *Own = bodyOf(E, Effects).second)
    To.add(markedSchema(S, firstArgument(Kernel)), *Own);
}

//===- Schemas that libtorch infers ------------------------------------------===//

namespace {

/// \p S with marks for the arguments of \p Written and the returns that are one of them.
FunctionSchema withMarks(FunctionSchema S, const KernelEffects &Effects, unsigned First,
                         const EffectFinding &Written) {
  std::vector<unsigned> Args = {Written.Arg};
  for (const EffectFinding &Other : Written.Others)
    Args.push_back(Other.Arg);
  llvm::sort(Args);
  auto AddMark = [&](Argument &A, unsigned Number) {
    if (A.Ty.isTensorLike() && !A.Annotation)
      A.Annotation = AliasAnnotation{std::string(1, char('a' + Number)), true, ""};
  };
  for (auto [Number, Arg] : enumerate(ArrayRef(Args).take_front(26))) {
    AddMark(S.Args.All[Arg], Number);
    for (unsigned I = 0; I < S.Returns.size(); ++I)
      if (returnsParam(Effects, S, I, First + Arg))
        AddMark(S.Returns[I], Number);
  }
  return S;
}

} // namespace

void opsig::checkInferredEffects(const EntryRef &E, const EntryRef &Def, ProjectEffects &Effects,
                                 UnitFiles &Files, Findings &Diags) {
  const RegisteredKernel &Kernel = E.Entry->Kernel;
  auto [Unit, Own] = bodyOf(E, Effects);
  std::optional<FunctionSchema> S =
      inferredSchema(Def.Schema->operatorName(), Kernel, E.Unit->Names);
  unsigned First = firstArgument(Kernel);
  if (S && isMeta(E)) {
    KernelReturns Returned;
    addKernelReturns(Def, *S, Effects, Returned);
    return checkFake(E, {&*S, nullptr, nullptr}, Returned, Effects, Files, Diags);
  }
  if (!Own || !S || !hasParametersOf(Kernel, *S))
    return;
  std::string Name = kernelName(Kernel);
  std::vector<EffectFinding> Found = compareEffects(markedSchema(*S, First), *Own, Name);
  // What else it does, compilers find out.
  erase_if(Found, [](const EffectFinding &F) { return F.Id != finding::MutationUnmarked; });
  if (Found.empty())
    return;
  groupByKernel(Found, Name);
  const EffectFinding &Written = Found.front();
  std::string What = "'" + Written.ArgName + "'" + Written.How;
  for (const EffectFinding &Other : Written.Others)
    What = (&Other == &Written.Others.front() ? "'" + Written.ArgName + "'" : What) +
           (&Other == &Written.Others.back() ? " and '" : ", '") + Other.ArgName + "'";
  Place At = Files.place(*Unit, Written.At);
  if (!At.isValid())
    At = kernelPlace(E, Kernel.Decl.Params[First + Written.Arg].NameAt, Files);
  Finding &Diag = Diags.report(
      finding::MutationUnmarked, At,
      "{0} writes to {1}, but the schema that libtorch infers has no '(a!)'", Name, What);
  Diag.op(operatorOf(E));
  if (!Written.Others.empty())
    addWriteNotes(Diag, Written, [&](Span At) { return Files.place(*Unit, At); });
  Diag.note(Files.place(*Def.Unit, Def.Entry->Text.Whole),
            "define the operator with this schema: '" + withMarks(*S, *Own, First, Written).str() +
                "'");
}

void opsig::checkOwnCalls(const RegisteredOp &Op, const NativeFunction *F, ProjectEffects &Effects,
                          UnitFiles &Files, Findings &Diags) {
  for (const EntryRef *E : Op.Kernels) {
    const RegisteredKernel &Kernel = E->Entry->Kernel;
    if (!E->keyKnown() || !Kernel.hasSignature())
      continue;
    KernelBody Body{E->Unit, Kernel.Decl.NameAt, Kernel.Name, kernelName(Kernel)};
    if (E->Elsewhere.size() == 1) {
      const Found &There = E->Elsewhere.front();
      Body = {There.Unit, There.Decl->NameAt, There.Decl->qualifiedName(), Body.Shown};
    }
    OwnOperator Own{Op.Name, E->key(), F, firstArgument(Kernel)};
    const FlowCall *Call = callOfItself(Body, Own, Effects);
    if (!Call)
      continue;
    Finding &Diag = reportCallOfItself(Body, *Call, Own, Files, Diags);
    Diag.note(Files.place(*E->Unit, Kernel.Use), "registered here");
  }
}
