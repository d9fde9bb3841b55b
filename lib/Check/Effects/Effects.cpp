//===- Effects.cpp - what kernels do against what schemas say ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Effects/EffectsInternal.h"
#include "opsig/Frontend/BodyFlow.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

//===- Schemas ---------------------------------------------------------------===//

static std::vector<std::string> setsOf(const Argument &A) {
  std::vector<std::string> Sets;
  if (A.Annotation)
    for (StringRef Written : {A.Annotation->Before, A.Annotation->After})
      for (StringRef Set : aliasSets(Written))
        Sets.push_back(Set.str());
  return Sets;
}

static MarkedArgument marked(const Argument &A, unsigned Param) {
  return {A.Name, A.Ty.isTensorLike(), A.Ty.listLike().has_value(), A.isWrite(), setsOf(A), Param};
}

static std::vector<MarkedReturn> markedReturns(const FunctionSchema &S) {
  std::vector<MarkedReturn> Out;
  for (const Return &R : S.Returns)
    Out.push_back({R.Ty.isTensorLike(), R.Ty.listLike().has_value(), setsOf(R)});
  return Out;
}

MarkedSchema opsig::markedSchema(const FunctionSchema &S, const Signature &Params) {
  MarkedSchema Out{{}, markedReturns(S)};
  for (unsigned I = 0; I < Params.Params.size(); ++I)
    if (const Argument *A = Params.Params[I].Arg)
      Out.Args.push_back(marked(*A, I));
  return Out;
}

MarkedSchema opsig::markedSchema(const FunctionSchema &S, unsigned First) {
  MarkedSchema Out{{}, markedReturns(S)};
  for (unsigned I = 0; I < S.Args.size(); ++I)
    Out.Args.push_back(marked(S.Args[I], First + I));
  return Out;
}

void opsig::excuseDestination(const NativeFunction &F, MarkedSchema &S) {
  StringRef Destination = unsaidDestination(F);
  for (MarkedArgument &A : S.Args)
    A.Unsaid = !Destination.empty() && A.Name == Destination;
}

//===- Comparison ------------------------------------------------------------===//

namespace {

class EffectComparer {
public:
  EffectComparer(const MarkedSchema &Schema, const KernelEffects &Effects, StringRef Kernel)
      : Schema(Schema), Effects(Effects), Kernel(Kernel) {}

  std::vector<EffectFinding> run();

private:
  void compareArgument(unsigned Index);
  void compareReturn(unsigned Index);
  std::string how(const ParamEffect &E) const;
  std::string alias(const MarkedArgument &A, unsigned Index, const ReturnEffect &E) const;

  const MarkedSchema &Schema;
  const KernelEffects &Effects;
  StringRef Kernel;
  std::vector<EffectFinding> Out;
};

/// " by calling 'mul_'", as it goes on behind "'scale' writes to 'x'".
std::string EffectComparer::how(const ParamEffect &E) const {
  std::string Text;
  if (!E.By.empty())
    Text = " by calling '" + E.By + "'";
  if (E.Written == Confidence::Certain)
    return Text;
  if (!E.Through.empty())
    Text += " if '" + E.Through + "' does not copy";
  else
    Text += E.Handed ? ", which takes a writable pointer to it" : " on some paths";
  return Text;
}

/// "'flat' returns a view of 'x' by calling 'view'".
std::string EffectComparer::alias(const MarkedArgument &A, unsigned Index,
                                  const ReturnEffect &E) const {
  bool Certain = E.Sure == Confidence::Certain;
  std::string What = "'" + A.Name + "'";
  if (A.List && !Schema.Returns[Index].List)
    What = "an element of " + What;
  else if (E.Same)
    What += " itself";
  if (!E.Same)
    What = "a view of " + What;
  std::string Text = formatv("{0} {1} {2}", Kernel, Certain ? "returns" : "may return", What);
  if (Schema.Returns.size() > 1)
    Text += " as return " + std::to_string(Index + 1);
  if (!Certain)
    Text += E.Through.empty() ? " on some paths" : " if '" + E.Through + "' does not copy";
  else if (!E.By.empty() && !E.Same)
    Text += " by calling '" + E.By + "'";
  return Text;
}

void EffectComparer::compareArgument(unsigned Index) {
  const MarkedArgument &A = Schema.Args[Index];
  if (!A.Tensor || A.Unsaid || A.Param >= Effects.Params.size())
    return;
  const ParamEffect &E = Effects.Params[A.Param];
  if (!A.Written && E.Written != Confidence::Unstated) {
    bool Certain = E.Written == Confidence::Certain;
    EffectFinding &New = Out.emplace_back();
    New = {Certain ? finding::MutationUnmarked : finding::MutationPossible, E.Written, "", E.At,
           Index};
    New.ArgName = A.Name;
    New.How = how(E);
    New.Message = formatv("{0} {1} to '{2}'{3}, but the schema does not mark it as '(a!)'", Kernel,
                          Certain ? "writes" : "may write", A.Name, New.How);
  }
  if (A.Written && E.Written == Confidence::Unstated && !E.Lost && Effects.Complete &&
      Effects.Finishes)
    Out.push_back(
        {finding::MutationUnwritten,
         Confidence::Certain,
         formatv("{0} never writes to '{1}', which the schema marks as written", Kernel, A.Name),
         {},
         Index});
}

void EffectComparer::compareReturn(unsigned Index) {
  const MarkedReturn &R = Schema.Returns[Index];
  if (!R.Tensor)
    return;
  for (const ReturnEffect &E : Effects.ofReturn(Index, Schema.Returns.size())) {
    const MarkedArgument *Arg = Schema.tensorOf(E.Param);
    if (!Arg || Arg->Unsaid || is_contained(R.Sets, "*"))
      continue;
    if (Arg->List && !E.OfList)
      continue;
    bool Marked = any_of(R.Sets, [&](const std::string &Set) {
      return is_contained(Arg->Sets, Set) || is_contained(Arg->Sets, "*");
    });
    // An alias of something else is said; that it is of this, too, has to be sure.
    if (Marked || (!R.Sets.empty() && E.Sure != Confidence::Certain))
      continue;
    std::string Number =
        Schema.Returns.size() > 1 ? "return " + std::to_string(Index + 1) : "the return";
    bool Certain = E.Sure == Confidence::Certain;
    Out.push_back({Certain ? finding::AliasUnmarked : finding::AliasPossible, E.Sure,
                   formatv("{0}, but the schema does not mark {1} as an alias with '(a)'",
                           alias(*Arg, Index, E), Number),
                   E.At, unsigned(Arg - Schema.Args.data()), Index});
    Out.back().ArgName = Arg->Name;
    Out.back().Itself = Certain && E.Same;
  }
}

std::vector<EffectFinding> EffectComparer::run() {
  for (unsigned I = 0; I < Schema.Args.size(); ++I)
    compareArgument(I);
  for (unsigned I = 0; I < Schema.Returns.size(); ++I)
    compareReturn(I);
  return std::move(Out);
}

} // namespace

const MarkedArgument *MarkedSchema::tensorOf(unsigned Param) const {
  auto Arg = find_if(Args, [&](const MarkedArgument &A) { return A.Param == Param; });
  return Arg != Args.end() && Arg->Tensor ? &*Arg : nullptr;
}

std::vector<EffectFinding> opsig::compareEffects(const MarkedSchema &Schema,
                                                 const KernelEffects &Effects, StringRef Kernel) {
  return EffectComparer(Schema, Effects, Kernel).run();
}

/// "'x', 'y' and 'z'".
static std::string listOfNames(const EffectFinding &F) {
  std::string Out = "'" + F.ArgName + "'";
  for (const EffectFinding &Other : F.Others)
    Out += (&Other == &F.Others.back() ? " and '" : ", '") + Other.ArgName + "'";
  return Out;
}

/// Moves what is returned of the arguments that are written to the one finding about these.
static void takeReturned(std::vector<EffectFinding> &Hits) {
  auto Written =
      find_if(Hits, [](const EffectFinding &F) { return F.Id == finding::MutationUnmarked; });
  if (Written == Hits.end())
    return;
  auto IsPart = [&](const EffectFinding &F) {
    return F.Itself && (F.Arg == Written->Arg || any_of(Written->Others, [&](const auto &Other) {
                          return Other.Arg == F.Arg;
                        }));
  };
  copy_if(Hits, std::back_inserter(Written->Returned), IsPart);
  erase_if(Hits, IsPart);
}

void opsig::groupByKernel(std::vector<EffectFinding> &Hits, StringRef Kernel) {
  for (FindingId Id : {finding::MutationUnmarked, finding::MutationPossible}) {
    auto First = find_if(Hits, [&](const EffectFinding &F) { return F.Id == Id; });
    if (First == Hits.end())
      continue;
    EffectFinding Whole = std::move(*First);
    for (auto It = std::next(First); It != Hits.end(); ++It)
      if (It->Id == Id)
        Whole.Others.push_back(std::move(*It));
    if (!Whole.Others.empty())
      Whole.Message =
          formatv("{0} {1} to {2}, but the schema does not mark them as written", Kernel,
                  Id == finding::MutationUnmarked ? "writes" : "may write", listOfNames(Whole));
    size_t At = First - Hits.begin();
    Hits[At] = EffectFinding(std::move(Whole));
    size_t Index = 0;
    erase_if(Hits, [&](const EffectFinding &F) { return Index++ > At && F.Id == Id; });
  }
  takeReturned(Hits);
}

void opsig::addWriteNotes(Finding &Diag, const EffectFinding &Hit,
                          function_ref<Place(Span)> PlaceOf) {
  auto Add = [&](const EffectFinding &F, const Twine &What) {
    if (Place At = PlaceOf(F.At); At.isValid())
      Diag.note(At, ("'" + F.ArgName + "' " + What).str());
  };
  auto AddWritten = [&](const EffectFinding &F) {
    Add(F,
        Twine(F.Sure == Confidence::Certain ? "is written" : "may be written") + " here" + F.How);
  };
  if (!Hit.Others.empty())
    AddWritten(Hit);
  for_each(Hit.Others, AddWritten);
  for (const EffectFinding &F : Hit.Returned)
    Add(F, "is returned here");
}

const OperatorTable &ProjectEffects::table() {
  if (!Table)
    Table.emplace(Ops);
  return *Table;
}

UnitEffects &ProjectEffects::in(const UnitFacts &Unit) {
  return ByUnit.try_emplace(&Unit, Unit, table(), *this).first->second;
}

std::vector<Place> ProjectEffects::longBodies(UnitFiles &Files) const {
  std::vector<Place> Out;
  for (const UnitFacts &Unit : Units)
    if (auto Known = ByUnit.find(&Unit); Known != ByUnit.end())
      for (Span At : Known->second.longBodies())
        Out.push_back(Files.place(Unit, At));
  return Out;
}

const FunctionFlow *ProjectEffects::flowOf(const UnitFacts &Unit, Span NameAt, StringRef Name) {
  std::optional<uint32_t> Flow =
      Unit.Flows.empty() ? std::nullopt : in(Unit).flowOfKernel(NameAt, Name);
  return Flow ? &Unit.Flows[*Flow] : nullptr;
}

const NativeFunction *ProjectEffects::dispatchedTo(const FlowCall &Call, const UnitFacts &Unit) {
  return table().dispatchedTo(Call, Unit.Names);
}

const KernelEffects *ProjectEffects::of(const UnitFacts &Unit, Span NameAt, StringRef Name) {
  return Unit.Flows.empty() ? nullptr : in(Unit).ofKernel(NameAt, Name);
}

const KernelEffects *ProjectEffects::ofSymbol(StringRef Symbol) {
  if (!BySymbol) {
    BySymbol.emplace();
    for (const UnitFacts &Unit : Units)
      for (uint32_t I = 0; I < Unit.Flows.size(); ++I)
        if (const std::string &Name = Unit.Flows[I].Symbol; !Name.empty()) {
          auto [Known, New] = BySymbol->try_emplace(Name, Definition{&Unit, I, true});
          Known->second.Only = New;
        }
  }
  auto Found = BySymbol->find(Symbol);
  if (Found == BySymbol->end() || !Found->second.Only)
    return nullptr;
  return in(*Found->second.Unit).ofFlow(Found->second.Flow);
}

//===- Kernels of YAML files -------------------------------------------------===//

static void report(const EffectFinding &Hit, const Found &F, const ExpectedKernel &W,
                   UnitFiles &Files, Findings &Diags) {
  Place At = Files.place(*F.Unit, Hit.At);
  if (!At.isValid())
    At = Files.place(*F.Unit, F.Decl->NameAt);
  Finding &Diag = Diags.add(Hit.Id, At, Hit.Message);
  Diag.Sure = Hit.Sure;
  Diag.op(W.Function->shownName());
  addWriteNotes(Diag, Hit, [&](Span Written) { return Files.place(*F.Unit, Written); });
  addSchemaNotes(Diag, W);
}

/// A kernel may serve several operators: what none of their schemas says is reported, once.
static void checkKernel(const Found &F, ArrayRef<const ExpectedKernel *> Named,
                        const KernelEffects &Effects, UnitFiles &Files, Findings &Diags) {
  const ExpectedKernel *First = nullptr;
  std::vector<EffectFinding> Common;
  for (const ExpectedKernel *W : Named) {
    // What is composed of other operators is seen through: autograd and functionalization get
    // those.
    if (W->Key == DispatchKey::CompositeImplicitAutograd || !differences(W->Signature, F).empty())
      continue;
    MarkedSchema Marked = markedSchema(W->Function->Schema, W->Signature);
    excuseDestination(*W->Function, Marked);
    std::vector<EffectFinding> Own = compareEffects(Marked, Effects, "'" + F.Decl->Name + "'");
    // Kernels for Meta have nothing to write to; those that change the shape may leave it to
    // autograd.
    if (W->Key == DispatchKey::Meta || W->Function->hasTag("inplace_view"))
      erase_if(Own, [](const EffectFinding &E) { return E.Id == finding::MutationUnwritten; });
    if (!First)
      Common = std::move(Own);
    else
      erase_if(Common, [&](const EffectFinding &Mine) {
        return none_of(Own, [&](const EffectFinding &Theirs) {
          return Mine.Id == Theirs.Id && Mine.Arg == Theirs.Arg && Mine.Return == Theirs.Return;
        });
      });
    First = First ? First : W;
  }
  groupByKernel(Common, "'" + F.Decl->Name + "'");
  for (const EffectFinding &Hit : Common)
    report(Hit, F, *First, Files, Diags);
}

/// The kernel serves all that \p Named has; it calls one of them.
static void checkOwnCalls(const Found &F, ArrayRef<const ExpectedKernel *> Named,
                          ProjectEffects &Effects, UnitFiles &Files, Findings &Diags) {
  KernelBody Body{F.Unit, F.Decl->NameAt, F.Decl->qualifiedName(), "'" + F.Decl->Name + "'"};
  for (const ExpectedKernel *W : Named) {
    OwnOperator Own{W->Function->shownName(), toString(W->Key), W->Function};
    const FlowCall *Call = callOfItself(Body, Own, Effects);
    if (!Call)
      continue;
    addSchemaNotes(reportCallOfItself(Body, *Call, Own, Files, Diags), *W);
    return;
  }
}

void opsig::checkKernelEffects(ArrayRef<ExpectedKernel> Expected, ArrayRef<UnitFacts> Units,
                               ProjectEffects &Effects, UnitFiles &Files, Findings &Diags) {
  std::map<std::string, std::vector<const ExpectedKernel *>> ByName;
  for (const ExpectedKernel &W : Expected) {
    ByName[W.Namespace + "::" + W.Name].push_back(&W);
    if (!W.Class.empty())
      ByName[W.Class + "::" + W.Name].push_back(&W);
  }
  for (const UnitFacts &Unit : Units)
    for (const KernelDecl &K : Unit.Kernels) {
      if (!K.Definition || !K.InMainFile || K.Internal)
        continue;
      auto Named = ByName.find(K.qualifiedName());
      const KernelEffects *Own = Effects.of(Unit, K.NameAt, K.qualifiedName());
      if (!Own || Named == ByName.end())
        continue;
      checkKernel({&Unit, &K}, Named->second, *Own, Files, Diags);
      checkOwnCalls({&Unit, &K}, Named->second, Effects, Files, Diags);
    }
}
