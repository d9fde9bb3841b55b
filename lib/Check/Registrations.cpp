//===- Registrations.cpp - checks of TORCH_LIBRARY code -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Effects/EffectsInternal.h"
#include "Effects/ShapesInternal.h"
#include "Python/PythonInternal.h"
#include "Registrations/InplaceNamesInternal.h"
#include "Registrations/OutVariantsInternal.h"
#include "Registrations/RegistrationInternal.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Workspace/ProjectLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace opsig;
using namespace llvm;

namespace {

class RegistrationChecker {
public:
  RegistrationChecker(const CheckContext &Context, Registry &R, ProjectEffects &Effects,
                      UnitFiles &Files, Comparison &Done, Findings &Diags)
      : Units(Context.Units), Of(Context.Of), Ops(Context.Ops), D(*Ops.D), Layout(Context.Layout),
        R(R), Effects(Effects), Files(Files), Done(Done), Diags(Diags),
        In(this->Layout.Programs, Files), Read(Units, R.blocks()) {}

  void run();

private:
  void findFiles();
  void checkBlocks();
  const EntryRef *firstWith(const EntryRef &E, ArrayRef<const EntryRef *> Others) const;
  const EntryRef *firstBeside(const EntryRef &E, ArrayRef<const EntryRef *> Others) const;
  const EntryRef *schemaFor(const EntryRef &E, const RegisteredOp &Op) const;
  const EntryRef *ofBranch(const EntryRef &E, ArrayRef<const EntryRef *> Defs) const;
  std::vector<const EntryRef *> schemasFor(const EntryRef &E, const RegisteredOp &Op) const;
  KernelVerdict judge(const EntryRef &E, const EntryRef *Def, const NativeFunction *F);
  void checkDefs(const RegisteredOp &Op);
  void noteConditional(const EntryRef &E, const RegisteredOp &Op);
  void reportConditional();
  void checkImpls(const RegisteredOp &Op);
  /// A kernel for a key that the operator already has a kernel for.
  struct Second {
    const EntryRef *E, *First;
    StringRef Op, Key;
  };
  void reportSecond(const Second &S);
  void reportSecondsInPython(size_t From);
  void count(const EntryRef &E);
  void checkTypes(const EntryRef &E);
  void countKernel(const EntryRef &E);
  void checkAlone(const EntryRef &E);
  void judgeKernels();
  void checkAgreement(ArrayRef<const EntryRef *> Kernels, const RegisteredOp &Op);
  void checkKernels(const RegisteredOp &Op);
  /// Reports what is to be said of the entry; true if libtorch takes its kernel.
  bool report(const EntryRef &E);

  ArrayRef<UnitFacts> Units;
  Scope Of;
  const Operators &Ops;
  const Dialect &D;
  ProjectLayout Layout;
  Registry &R;
  ProjectEffects &Effects;
  UnitFiles &Files;
  Comparison &Done;
  Findings &Diags;
  Programs In;
  ReadNamespaces Read;
  std::vector<const EntryRef *> DefinedUnderCondition;
  std::vector<KernelVerdict> Verdicts;
  std::map<const EntryRef *, const KernelVerdict *> VerdictOf;
  /// Of a kernel that goes with several files of which a program has one: the definition it fits.
  std::map<const EntryRef *, const EntryRef *> Chosen;
  std::vector<Second> InPython; ///< reported when it is known which ones the release rejects
};

/// Takes files for alternatives that are, and says so.
void RegistrationChecker::findFiles() {
  for (const DetectedVariants &Found : detectVariants(R.entries(), Layout, Files)) {
    Layout.Programs.addExclusive(Found.First, Found.Second);
    Done.Notes.push_back(
        formatv("'{0}' and '{1}' {4}define the same {2} of '{3}', so opsig assumes that no program "
                "contains both; to confirm this, list them under 'variants' in .opsig.yaml",
                Found.First, Found.Second,
                Found.Common == 1 ? "operator" : std::to_string(Found.Common) + " operators",
                Found.Namespace,
                Found.OtherPackage ? "belong to different Python packages and " : "")
            .str());
  }
}

/// A namespace has one TORCH_LIBRARY block; the others are fragments.
void RegistrationChecker::checkBlocks() {
  std::map<StringRef, std::vector<BlockRef>> Libraries;
  for (const auto &[Unit, Block] : R.blocks()) {
    if (Block->Is == RegistrationBlock::Library || Block->Is == RegistrationBlock::Fragment)
      if (Block->Namespace == "_")
        Diags.report(finding::RegistrationNamespace, Files.place(*Unit, Block->At),
                     "operators cannot be defined in namespace '_', which means every namespace");
    if (Block->Is != RegistrationBlock::Library || Unit->isOtherBranch())
      continue;
    BlockRef Own{Unit, Block};
    std::vector<BlockRef> &Known = Libraries[Block->Namespace];
    auto First = find_if(Known, [&](const BlockRef &Other) { return In.areTogether(Own, Other); });
    if (First == Known.end()) {
      Known.push_back(Own);
      continue;
    }
    Finding &Diag = Diags.report(finding::DuplicateLibrary, Files.place(*Unit, Block->At),
                                 "namespace '{0}' already has a TORCH_LIBRARY block; use "
                                 "TORCH_LIBRARY_FRAGMENT for further blocks",
                                 Block->Namespace);
    Diag.note(Files.place(*First->Unit, First->Block->At), "first block is here");
    StringRef Macro = Files.text(*Unit, Block->At);
    if (Macro == "TORCH_LIBRARY" || Macro == "STABLE_TORCH_LIBRARY") {
      Diag.Hint = (Macro + "_FRAGMENT").str();
      Diag.Fixes = {
          {Files.file(*Unit, Block->At.File), Block->At.Offset, Block->At.Length, Diag.Hint}};
    }
  }
}

/// Wherever \p E runs, \p Other does. False where that is not certain.
static bool runsOnlyWith(const EntryRef &E, const EntryRef &Other) {
  if (E.Unit != Other.Unit || E.Block != Other.Block || E.Unit->Python || E.Entry->TextOnly ||
      Other.Entry->TextOnly)
    return false;
  unsigned Own = E.Entry->Branch, Around = Other.Entry->Branch;
  return Around == 0 || (Around <= Own && Own <= Other.Entry->LastInner);
}

/// Each of them runs where the other one does.
static bool areOfOneBranch(const EntryRef &A, const EntryRef &B) {
  if (!A.Entry->Conditional && !B.Entry->Conditional)
    return true;
  return !A.Entry->InFunction && runsOnlyWith(A, B) && runsOnlyWith(B, A);
}

/// The first of \p Others that runs in each program that \p E runs in.
const EntryRef *RegistrationChecker::firstBeside(const EntryRef &E,
                                                 ArrayRef<const EntryRef *> Others) const {
  auto First = find_if(Others, [&](const EntryRef *Other) {
    return In.areTogether(E.from(), Other->from()) && areOfOneBranch(E, *Other);
  });
  return First == Others.end() ? nullptr : *First;
}

/// The first of \p Others that \p E is in a program with.
const EntryRef *RegistrationChecker::firstWith(const EntryRef &E,
                                               ArrayRef<const EntryRef *> Others) const {
  auto First = find_if(
      Others, [&](const EntryRef *Other) { return In.areTogether(E.from(), Other->from()); });
  return First == Others.end() ? nullptr : *First;
}

/// No `else` keeps them apart: they are in two blocks, or one runs wherever the other does. Which
/// branches call two functions of other files is not known.
static bool mayRunTogether(const EntryRef &A, const EntryRef &B) {
  if (A.Block == B.Block)
    return runsOnlyWith(A, B) || runsOnlyWith(B, A);
  return A.Block->Filler.empty() || B.Block->Filler.empty();
}

/// A second definition that depends on a condition, which may ask for the first one.
void RegistrationChecker::noteConditional(const EntryRef &E, const RegisteredOp &Op) {
  auto IsSeen = [](const EntryRef &Def) {
    return !Def.Unit->Python && !Def.Unit->isOtherBranch() && !Def.Entry->InFunction &&
           !Def.Entry->TextOnly;
  };
  for (const EntryRef *Other : Op.Defs) {
    if (Other == &E)
      return;
    bool IsCertain = !E.Entry->Conditional && !Other->Entry->Conditional;
    if (!IsCertain && IsSeen(E) && IsSeen(*Other) && In.areTogether(E.from(), Other->from()) &&
        mayRunTogether(E, *Other)) {
      DefinedUnderCondition.push_back(E.Entry->Conditional ? &E : Other);
      return;
    }
  }
}

void RegistrationChecker::reportConditional() {
  if (DefinedUnderCondition.empty())
    return;
  const EntryRef &First = *DefinedUnderCondition.front();
  Place At = First.namePlace(Files);
  std::string Where = (Files.sources().name(At.File) + ":" + Twine(At.Line)).str();
  size_t Others = DefinedUnderCondition.size() - 1;
  Done.CheckNotes.push_back(
      {finding::DuplicateDef,
       Others == 0
           ? formatv("'{0}' has a second definition under a condition ({1}); opsig does not check "
                     "whether both definitions run",
                     First.Op, Where)
                 .str()
           : formatv("'{0}' ({1}) and {2} have a second definition under a condition; opsig does "
                     "not check whether both definitions run",
                     First.Op, Where, counted(Others, "other operator"))
                 .str()});
}

void RegistrationChecker::checkDefs(const RegisteredOp &Op) {
  std::vector<const EntryRef *> Firsts;
  for (const EntryRef *E : Op.Defs) {
    if (E->Entry->TextOnly)
      continue;
    const EntryRef *First = firstBeside(*E, Firsts);
    if (!First) {
      Firsts.push_back(E);
      noteConditional(*E, Op);
      continue;
    }
    // RegisterOperators may repeat a schema.
    if (E->Block->Is == RegistrationBlock::Legacy && First->Block->Is == RegistrationBlock::Legacy)
      continue;
    Diags
        .report(finding::DuplicateDef, E->namePlace(Files), "operator '{0}' is defined twice",
                Op.Name)
        .op(operatorOf(*E))
        .note(First->namePlace(Files), "first defined here");
  }
}

void RegistrationChecker::checkImpls(const RegisteredOp &Op) {
  std::map<StringRef, std::vector<const EntryRef *>> ByKey;
  for (const EntryRef *E : Op.Kernels) {
    if (E->Entry->TextOnly || !E->keyKnown() || E->Block->Is == RegistrationBlock::Legacy)
      continue;
    // The kernel of a second def() is no fault of its own.
    if (E->isDef() && E != firstBeside(*E, Op.Defs))
      continue;
    StringRef Key = E->key().empty() ? "CompositeImplicitAutograd" : E->key();
    std::vector<const EntryRef *> &Known = ByKey[Key];
    const EntryRef *First = firstBeside(*E, Known);
    if (!First) {
      Known.push_back(E);
      continue;
    }
    Second Found{E, First, Op.Name, Key};
    if (E->Unit->Python)
      InPython.push_back(Found);
    else
      reportSecond(Found);
  }
}

void RegistrationChecker::reportSecond(const Second &S) {
  Diags
      .report(finding::DuplicateImpl, Files.place(*S.E->Unit, S.E->Entry->At),
              "'{0}' has a second {1} kernel; libtorch calls the kernel registered last", S.Op,
              S.Key)
      .op(operatorOf(*S.E))
      .note(Files.place(*S.First->Unit, S.First->Entry->At), "first kernel registered here");
}

/// Those that the release rejects never replace a kernel. The findings from number \p From on say
/// which ones.
void RegistrationChecker::reportSecondsInPython(size_t From) {
  std::set<std::tuple<SourceId, unsigned, unsigned, std::string>> Rejected;
  for (const Finding &D : Diags.all().drop_front(From))
    if (D.Id == finding::PythonRegistration)
      Rejected.insert({D.At.File, D.At.Line, D.At.Column, D.Op});
  for (const Second &S : InPython) {
    Place At = Files.place(*S.E->Unit, S.E->Entry->At);
    if (!Rejected.count({At.File, At.Line, At.Column, S.Op.str()}))
      reportSecond(S);
  }
}

/// A definition with a schema that always counts.
static bool hasSchema(const EntryRef *Def) {
  return Def->Schema && !Def->Schema->NameOnly && !Def->Entry->Conditional;
}

/// The same, but it may stand in a branch, or in a function that nobody calls.
static bool isDefined(const EntryRef *Def) { return Def->Schema && !Def->Schema->NameOnly; }

/// m.def("x", &kernel): the kernel's types are the schema.
static bool infersSchema(const EntryRef &E) {
  return E.isDef() && E.Schema && E.Schema->NameOnly && !E.Entry->SchemaUnread;
}

/// \p E and \p Def stand in two branches, and a call that could not be read may define the
/// operator in that of \p E.
static bool mayHaveOther(const EntryRef &E, const EntryRef &Def) {
  return E.Block == Def.Block && !E.Block->Complete && E.Entry->Branch != 0 &&
         Def.Entry->Branch != 0 && !runsOnlyWith(E, Def) && !runsOnlyWith(Def, E);
}

/// The first of them that counts for \p E. That of another target counts
/// where it is the only one: the target is a library of the other.
const EntryRef *RegistrationChecker::schemaFor(const EntryRef &E, const RegisteredOp &Op) const {
  if (auto Known = Chosen.find(&E); Known != Chosen.end())
    return Known->second;
  // A branch that defines the operator gives it this kernel.
  if (E.isDef() && E.Entry->Conditional && isDefined(&E))
    return &E;
  std::vector<const EntryRef *> Defs;
  for (const EntryRef *Def : Op.Defs)
    if (hasSchema(Def) && In.between(E.from(), Def->from()) != Exclusivity::Never)
      Defs.push_back(Def);
  if (const EntryRef *Def = firstWith(E, Defs))
    return Def;
  if (Defs.empty() && Op.Defs.size() == 1 && isDefined(Op.Defs.front()) &&
      !mayHaveOther(E, *Op.Defs.front()))
    return Op.Defs.front(); // its condition holds, or the kernel serves nobody
  if (Defs.empty() && Op.Defs.size() > 1)
    return ofBranch(E, Op.Defs);
  return Defs.size() == 1 ? Defs.front() : nullptr;
}

/// Each of \p Defs stands in a branch: that of the branch of \p E, or else the first.
const EntryRef *RegistrationChecker::ofBranch(const EntryRef &E,
                                              ArrayRef<const EntryRef *> Defs) const {
  const EntryRef *First = nullptr;
  for (const EntryRef *Def : Defs) {
    if (!isDefined(Def) || In.between(E.from(), Def->from()) == Exclusivity::Never)
      continue;
    if (runsOnlyWith(E, *Def))
      return Def;
    First = First ? First : Def;
  }
  return First;
}

/// Those that programs with \p E may have, of which no program has two; or those of several
/// branches, of which one runs.
std::vector<const EntryRef *> RegistrationChecker::schemasFor(const EntryRef &E,
                                                              const RegisteredOp &Op) const {
  std::vector<const EntryRef *> Out;
  for (const EntryRef *Def : Op.Defs)
    if (hasSchema(Def) && In.areTogether(E.from(), Def->from()) && !firstWith(*Def, Out))
      Out.push_back(Def);
  if (!Out.empty() || (E.isDef() && E.Entry->Conditional))
    return Out;
  // Which branch runs with the kernel is known of its own branch only.
  copy_if(Op.Defs, std::back_inserter(Out), [&](const EntryRef *Def) {
    return isDefined(Def) && In.between(E.from(), Def->from()) != Exclusivity::Never;
  });
  return any_of(Out, [&](const EntryRef *Def) { return runsOnlyWith(E, *Def); })
             ? std::vector<const EntryRef *>()
             : Out;
}

KernelVerdict RegistrationChecker::judge(const EntryRef &E, const EntryRef *Def,
                                         const NativeFunction *F) {
  KernelVerdict V{&E, {F ? &F->Schema : &*Def->Schema, Def, F}};
  Findings Said;
  bool Override = F && E.Entry->Kernel.Interface != KernelInterface::Stable &&
                  checkNativeOverride(E, *F, D, Files, Said);
  V.Taken = Override || checkKernelSchema(E, V.Schema, D, Files, Said);
  V.Hits = Said.all().vec();
  return V;
}

void RegistrationChecker::count(const EntryRef &E) {
  const RegisteredKernel &K = E.Entry->Kernel;
  if (K.hasSignature() || K.Stack.isKnown())
    countKernel(E);
}

void RegistrationChecker::countKernel(const EntryRef &E) {
  const RegisteredKernel &K = E.Entry->Kernel;
  Place At = Files.place(*E.Unit, K.Use);
  Done.add(E.Op, K.Name.empty()
                     ? formatv("{0}:{1}:{2}", unsigned(At.File), At.Line, At.Column).str()
                     : K.Name);
}

/// Nothing compiles what an edit makes of a kernel in another build.
static Finding withoutFixes(Finding Diag) {
  Diag.Fixes.clear();
  return Diag;
}

void RegistrationChecker::checkTypes(const EntryRef &E) {
  if (!E.Unit->isOtherBranch())
    return checkKernelTypes(E, finding::RegisteredKernelType, Files, Diags);
  Findings Said;
  checkKernelTypes(E, finding::RegisteredKernelType, Files, Said);
  for (const Finding &Diag : Said.all())
    Diags.append(withoutFixes(Diag));
}

/// What a kernel may be, whatever its schema is.
void RegistrationChecker::checkAlone(const EntryRef &E) {
  size_t Before = Diags.size();
  checkKernelForm(E, Files, Diags);
  // Kernels of PyTorch's own operators are compared type by type with what libtorch has.
  if (!nativeFunction(E.Op, Ops))
    checkTypes(E);
  // Of what is reported nobody shall read that nothing was compared.
  if (Diags.size() > Before && !E.Op.empty())
    countKernel(E);
}

/// Every kernel against its schema, before anything is said: a function may serve several
/// operators.
void RegistrationChecker::judgeKernels() {
  for (const RegisteredOp &Op : R.operators()) {
    const NativeFunction *F = nativeFunction(Op.Name, Ops);
    if (F || any_of(Op.Defs, isDefined))
      Done.Operators.insert(Op.Name);
    for (const EntryRef *E : Op.Kernels) {
      const EntryRef *Def = F ? nullptr : schemaFor(*E, Op);
      if (!F && infersSchema(*E))
        count(*E); // whether a schema can be made of its types is judged elsewhere
      Done.Undefined += !F && Op.Defs.empty();
      if (F ? E->Entry->Is != RegistrationEntry::Impl : !Def)
        continue;
      count(*E);
      KernelVerdict V = judge(*E, Def, F);
      if (!F && !V.Hits.empty())
        for (const EntryRef *Other : schemasFor(*E, Op))
          if (KernelVerdict Else = judge(*E, Other, F); Else.Hits.empty()) {
            V = std::move(Else);
            Chosen[E] = Other;
            break;
          }
      // Another branch may be the one that is meant.
      bool IsMeant = F || Op.Defs.size() == 1 || !V.Schema.Def->Entry->Conditional ||
                     V.Schema.Def == E || runsOnlyWith(*E, *V.Schema.Def);
      if (!IsMeant)
        for (Finding &Diag : V.Hits)
          Diag = withoutFixes(std::move(Diag));
      Verdicts.push_back(std::move(V));
    }
  }
  resolveSharedKernels(Verdicts, D, Files);
  resolveSchemaEvidence(Verdicts, Units, Files);
  for (KernelVerdict &V : Verdicts)
    if (V.Entry->Unit->isOtherBranch())
      for (Finding &Diag : V.Hits)
        Diag = withoutFixes(std::move(Diag));
  for (const KernelVerdict &V : Verdicts)
    VerdictOf[V.Entry] = &V;
}

bool RegistrationChecker::report(const EntryRef &E) {
  auto V = VerdictOf.find(&E);
  if (V == VerdictOf.end())
    return true;
  for (const Finding &Diag : V->second->Hits)
    Diags.append(Diag);
  return V->second->Taken;
}

/// Kernels of one operator have one type, but those of two branches that define it have two.
void RegistrationChecker::checkAgreement(ArrayRef<const EntryRef *> Kernels,
                                         const RegisteredOp &Op) {
  bool IsOfOne = Op.Defs.empty() || (Op.Defs.size() == 1 && none_of(Kernels, [&](auto *E) {
                                       return mayHaveOther(*E, *Op.Defs.front());
                                     }));
  if (IsOfOne || any_of(Op.Defs, hasSchema))
    return checkKernelsAgree(Kernels, In, Files, Diags);
  auto DefOf = [&](const EntryRef *E) {
    return E->isDef() && E->Entry->Conditional ? E : schemaFor(*E, Op);
  };
  std::vector<const EntryRef *> Defs(Op.Defs.begin(), Op.Defs.end());
  Defs.push_back(nullptr);
  for (const EntryRef *Def : Defs) {
    std::vector<const EntryRef *> Own;
    copy_if(Kernels, std::back_inserter(Own), [&](const EntryRef *E) { return DefOf(E) == Def; });
    checkKernelsAgree(Own, In, Files, Diags);
  }
}

void RegistrationChecker::checkKernels(const RegisteredOp &Op) {
  bool IsWhole = Read.isWholeFor(Op.Name);
  if (const NativeFunction *F = nativeFunction(Op.Name, Ops)) {
    for (const EntryRef *E : Op.Kernels)
      report(*E);
    checkRegisteredEffects(Op.Kernels, IsWhole, {&F->Schema, nullptr, F}, Effects, Files, Diags);
    return;
  }
  // A kernel that does not fit its schema is no measure for the others, nor worth a second finding.
  std::vector<const EntryRef *> Fitting;
  for (const EntryRef *E : Op.Kernels) {
    if (!schemaFor(*E, Op))
      checkSymIntReferences(*E, Files, Diags);
    if (report(*E))
      Fitting.push_back(E);
  }
  checkAgreement(Fitting, Op);
  auto Inferred = find_if(Op.Defs, [](const EntryRef *E) { return infersSchema(*E); });
  if (Inferred != Op.Defs.end() && none_of(Op.Defs, hasSchema))
    for (const EntryRef *E : Fitting)
      checkInferredEffects(*E, **Inferred, Effects, Files, Diags);
  // Other files may have kernels for other keys; beside one that serves them all that is rare.
  bool AreAll =
      IsWhole && Fitting.size() == Op.Kernels.size() &&
      (Of == Scope::Project || all_of(Fitting, [](const EntryRef *E) { return E->isDef(); }));
  for (const EntryRef *Def : Op.Defs) {
    std::vector<const EntryRef *> Own;
    copy_if(Fitting, std::back_inserter(Own),
            [&](const EntryRef *E) { return schemaFor(*E, Op) == Def; });
    if (!Own.empty())
      checkRegisteredEffects(Own, AreAll, {&*Def->Schema, Def, nullptr}, Effects, Files, Diags);
  }
}

void RegistrationChecker::run() {
  MisplacedNames Misplaced;
  checkStrings(R, StringGrammars(D, Layout.PythonRelease), Misplaced, Files, Diags);
  findFiles();
  checkBlocks();
  auto IsWhole = [&](StringRef Name) { return Of == Scope::Project && Read.isWhole(Name); };
  checkMisspelledNames(R, D, IsWhole, Files, Diags);
  ArrayRef<EntryRef> Entries = std::as_const(R).entries();
  Done.Unread = unreadRegistrations(R, Diags, Files);
  Done.KeyErrors = reportedKeyErrors(Units, Diags, Files);
  Done.InFunctions = count_if(Entries, [](const EntryRef &E) { return E.Entry->InFunction; });
  findDefinitions(R.entries(), Units);
  for (const EntryRef &E : Entries)
    checkAlone(E);
  checkFallbacks(Entries, In, D, Files, Diags);
  judgeKernels();
  auto SchemaOfKernel = [&](const EntryRef &E) {
    auto V = VerdictOf.find(&E);
    return V == VerdictOf.end() ? KernelSchema() : V->second->Schema;
  };
  checkCustomClasses({Units, Of, R}, SchemaOfKernel, Files, Diags);
  SymbolicShapes Shapes(Effects, Files, Diags);
  for (const RegisteredOp &Op : R.operators()) {
    checkDefs(Op);
    checkImpls(Op);
    checkKernels(Op);
    Shapes.check(Op);
    checkOwnCalls(Op, nativeFunction(Op.Name, Ops), Effects, Files, Diags);
    if (Of != Scope::Project || !Read.isWholeFor(Op.Name))
      continue;
    checkAutogradKeys(Op, Files, Diags);
    checkReach(Op, Files, Diags);
  }
  reportConditional();
  const Dialect &PythonD = Layout.PythonRelease ? *Layout.PythonRelease : D;
  checkOutVariants(R.operators(), {D, PythonD}, Files, Done, Diags);
  RegistrationTable Table{R, Read, Of, Misplaced, In, Layout};
  checkRegistrationTable(Table, Ops, Files, Done, Diags);
  auto SchemaFor = [&](const EntryRef &E, const RegisteredOp &Op) -> KernelSchema {
    const EntryRef *Def = schemaFor(E, Op);
    return {Def ? &*Def->Schema : nullptr, Def, nullptr};
  };
  checkDispatcherCalls({Units, Table, Ops, In, SchemaFor}, Files, Diags);
  checkGradients(Units, Files, Diags);
  auto SchemaForPython = [&](const EntryRef &E, const RegisteredOp &Op) -> KernelSchema {
    if (const NativeFunction *F = nativeFunction(Op.Name, Ops))
      return {&F->Schema, nullptr, F};
    return SchemaFor(E, Op);
  };
  size_t BeforePython = Diags.size();
  checkPython({Units, R, PythonD, SchemaForPython, Effects}, Files, Done, Diags);
  reportSecondsInPython(BeforePython);
  checkInplaceNames(R.operators(), Effects, Files, Diags);
  if (Of != Scope::Project)
    return;
  checkUnregisteredKernels(Units, R.operators(), D, Files, Diags);
  size_t Before = Diags.size();
  append_range(Done.Notes, checkLinkedKernels(Entries, Units, Layout, Files, Diags));
  for (const Finding &D : Diags.all().drop_front(Before))
    for (const EntryRef &E : Entries)
      if (!E.Op.empty() && operatorOf(E) == D.Op)
        countKernel(E);
}

} // namespace

void opsig::checkRegistrations(const CheckContext &Context, Registry &R, ProjectEffects &Effects,
                               UnitFiles &Files, Comparison &Done, Findings &Diags) {
  RegistrationChecker(Context, R, Effects, Files, Done, Diags).run();
}
