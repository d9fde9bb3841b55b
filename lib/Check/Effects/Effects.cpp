//===- Effects.cpp - what kernels do against what schemas say ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Effects/EffectsInternal.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

//===- Schemas ---------------------------------------------------------------===//

static std::vector<std::string> setsOf(const std::optional<AliasAnnotation> &A) {
  std::vector<std::string> Sets;
  if (!A)
    return Sets;
  for (char Set : A->Before + A->After)
    Sets.push_back(std::string(1, Set));
  return Sets;
}

MarkedSchema opsig::markedSchema(const FunctionSchema &S, const Signature &Params) {
  MarkedSchema Out;
  for (unsigned I = 0; I < Params.Params.size(); ++I)
    if (const Argument *A = Params.Params[I].Arg)
      Out.Args.push_back({A->Name, A->Ty.isTensorLike(), A->Ty.listLike().has_value(), A->isWrite(),
                          setsOf(A->Annotation), I});
  for (const Return &R : S.Returns)
    Out.Returns.push_back({R.Ty.isTensorLike(), R.Ty.listLike().has_value(), setsOf(R.Annotation)});
  return Out;
}

static std::vector<std::string> setsOf(const std::optional<ScriptAlias> &A) {
  std::vector<std::string> Sets;
  if (!A)
    return Sets;
  Sets = A->Before;
  append_range(Sets, A->After);
  return Sets;
}

static bool isTensorLike(const ScriptType &Ty) {
  if (Ty.Is == ScriptType::List || Ty.Is == ScriptType::Optional)
    return any_of(Ty.Elements, isTensorLike);
  return Ty.is("Tensor");
}

static bool isList(const ScriptType &Ty) {
  return Ty.Is == ScriptType::List ||
         (Ty.Is == ScriptType::Optional && any_of(Ty.Elements, isList));
}

MarkedSchema opsig::markedSchema(const ScriptSchema &S, unsigned First) {
  MarkedSchema Out;
  for (unsigned I = 0; I < S.Args.size(); ++I) {
    const ScriptArgument &A = S.Args[I];
    Out.Args.push_back(
        {A.Name, isTensorLike(A.Ty), isList(A.Ty), A.isWrite(), setsOf(A.Alias), First + I});
  }
  for (const ScriptArgument &R : S.Returns)
    Out.Returns.push_back({isTensorLike(R.Ty), isList(R.Ty), setsOf(R.Alias)});
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
  std::string mutation(const MarkedArgument &A, const ParamEffect &E) const;
  std::string alias(const MarkedArgument &A, const MarkedReturn &R, const ReturnEffect &E) const;

  const MarkedSchema &Schema;
  const KernelEffects &Effects;
  StringRef Kernel;
  std::vector<EffectFinding> Out;
};

/// "'scale' writes to 'x', by 'mul_'".
std::string EffectComparer::mutation(const MarkedArgument &A, const ParamEffect &E) const {
  bool Certain = E.Written == Confidence::Certain;
  std::string Text = formatv("{0} {1} to '{2}'", Kernel, Certain ? "writes" : "may write", A.Name);
  if (!E.By.empty())
    Text += ", by '" + E.By + "'";
  if (!Certain)
    Text +=
        E.Through.empty() ? ", on one way to here" : ", where '" + E.Through + "' makes no copy";
  return Text;
}

/// "'flat' returns a view of 'x', by 'view'".
std::string EffectComparer::alias(const MarkedArgument &A, const MarkedReturn &R,
                                  const ReturnEffect &E) const {
  bool Certain = E.Sure == Confidence::Certain;
  std::string What = "'" + A.Name + "'";
  if (A.List && !R.List)
    What = "an element of " + What;
  else if (E.Same)
    What += " itself";
  if (!E.Same)
    What = "a view of " + What;
  std::string Text = formatv("{0} {1} {2}", Kernel, Certain ? "returns" : "may return", What);
  if (!Certain)
    Text +=
        E.Through.empty() ? ", on one way to here" : ", where '" + E.Through + "' makes no copy";
  else if (!E.By.empty() && !E.Same)
    Text += ", by '" + E.By + "'";
  return Text;
}

void EffectComparer::compareArgument(unsigned Index) {
  const MarkedArgument &A = Schema.Args[Index];
  if (!A.Tensor || A.Unsaid || A.Param >= Effects.Params.size())
    return;
  const ParamEffect &E = Effects.Params[A.Param];
  if (!A.Written && E.Written != Confidence::Unstated)
    Out.push_back(
        {diag::MutationUnmarked, E.Written,
         formatv("{0}; the schema's '{1}' is not marked as '(a!)'", mutation(A, E), A.Name), E.At,
         Index});
  if (A.Written && E.Written == Confidence::Unstated && !E.Lost && Effects.Complete &&
      Effects.Finishes)
    Out.push_back(
        {diag::MutationUnwritten,
         Confidence::Certain,
         formatv("{0} never writes to '{1}'; the schema marks it as written", Kernel, A.Name),
         {},
         Index});
}

void EffectComparer::compareReturn(unsigned Index) {
  const MarkedReturn &R = Schema.Returns[Index];
  bool IsTuple = Schema.Returns.size() > 1;
  if (!R.Tensor || (IsTuple && Index >= Effects.Parts.size()))
    return;
  for (const ReturnEffect &E : IsTuple ? Effects.Parts[Index] : Effects.Whole) {
    auto Arg = find_if(Schema.Args, [&](const MarkedArgument &A) { return A.Param == E.Param; });
    if (Arg == Schema.Args.end() || !Arg->Tensor || Arg->Unsaid || is_contained(R.Sets, "*"))
      continue;
    bool Marked = any_of(R.Sets, [&](const std::string &Set) {
      return is_contained(Arg->Sets, Set) || is_contained(Arg->Sets, "*");
    });
    // An alias of something else is said; that it is of this, too, has to be sure.
    if (Marked || (!R.Sets.empty() && E.Sure != Confidence::Certain))
      continue;
    std::string Number = IsTuple ? " " + std::to_string(Index + 1) : "";
    Out.push_back({diag::AliasUnmarked, E.Sure,
                   formatv("{0}{1}; the schema's return{2} is not marked as an alias of it, '(a)'",
                           alias(*Arg, R, E), IsTuple ? " as return" + Number : "", Number),
                   E.At, unsigned(Arg - Schema.Args.begin()), Index});
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

std::vector<EffectFinding> opsig::compareEffects(const MarkedSchema &Schema,
                                                 const KernelEffects &Effects, StringRef Kernel) {
  return EffectComparer(Schema, Effects, Kernel).run();
}

const KernelEffects *ProjectEffects::of(const TranslationUnit &Unit, Span NameAt, StringRef Name) {
  if (Unit.Flows.empty())
    return nullptr;
  if (!Table)
    Table.emplace(Ops);
  return ByUnit.try_emplace(&Unit, Unit, *Table).first->second.ofKernel(NameAt, Name);
}

//===- Kernels of YAML files -------------------------------------------------===//

static void report(const EffectFinding &Finding, const Found &F, const WantedKernel &W,
                   UnitFiles &Files, Diagnostics &Diags) {
  Place At = Files.place(*F.Unit, Finding.At);
  if (!At.isValid())
    At = Files.place(*F.Unit, F.Decl->NameAt);
  Diagnostic &Diag = Diags.add(Finding.Id, At, Finding.Message);
  Diag.Sure = Finding.Sure;
  Diag.op(W.Function->Schema.Name.str());
  addSchemaNotes(Diag, W);
}

/// A kernel may serve several operators: what none of their schemas says is reported, once.
static void checkKernel(const Found &F, ArrayRef<const WantedKernel *> Named,
                        const KernelEffects &Effects, UnitFiles &Files, Diagnostics &Diags) {
  const WantedKernel *First = nullptr;
  std::vector<EffectFinding> Common;
  for (const WantedKernel *W : Named) {
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
      erase_if(Own, [](const EffectFinding &E) { return E.Id == diag::MutationUnwritten; });
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
  for (const EffectFinding &Finding : Common)
    report(Finding, F, *First, Files, Diags);
}

void opsig::checkKernelEffects(ArrayRef<WantedKernel> Wanted, ArrayRef<TranslationUnit> Units,
                               ProjectEffects &Effects, UnitFiles &Files, Diagnostics &Diags) {
  std::map<std::string, std::vector<const WantedKernel *>> ByName;
  for (const WantedKernel &W : Wanted) {
    ByName[W.Namespace + "::" + W.Name].push_back(&W);
    if (!W.Class.empty())
      ByName[W.Class + "::" + W.Name].push_back(&W);
  }
  for (const TranslationUnit &Unit : Units)
    for (const KernelDecl &K : Unit.Kernels) {
      if (!K.Definition || !K.InMainFile || K.Internal)
        continue;
      auto Named = ByName.find(K.qualifiedName());
      const KernelEffects *Own = Effects.of(Unit, K.NameAt, K.qualifiedName());
      if (!Own || Named == ByName.end())
        continue;
      checkKernel({&Unit, &K}, Named->second, *Own, Files, Diags);
    }
}
