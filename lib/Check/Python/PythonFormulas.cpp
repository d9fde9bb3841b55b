//===- PythonFormulas.cpp - formulas of autograd and vmap in Python -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What PyTorch calls: backward(ctx, *one gradient per return), which returns one per positional
// argument; setup_context(ctx=, inputs=, output=[, keyword_only_inputs=]); rule(info, in_dims,
// *arguments), which returns (output, out_dims).
//
//===----------------------------------------------------------------------===//
#include "Python/PythonInternal.h"
#include "opsig/Check/AutogradFormula.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace opsig;
using namespace llvm;

namespace {

constexpr const char *OnePerArgument =
    "return one gradient per argument, and 'None' for an argument without a gradient";

bool isTensorList(const Type &Ty) {
  return Ty.isTensorLike() &&
         any_of(Ty.suffixes(), [](TypeSuffix S) { return S.Is == TypeSuffix::List; });
}

bool isTensorLike(const Type &Ty) {
  return Ty.is(BaseTy::Tensor) || (Ty.isOptional() && Ty.elem().is(BaseTy::Tensor)) ||
         isTensorList(Ty);
}

/// How many gradients a result of \p F stands for: what is no tuple is one. Gradients are tensors.
std::optional<uint32_t> countOf(const PythonReturn &R, const PythonCallable &F) {
  bool IsKnown = R.Tensors.empty() || !is_contained(R.Tensors, F.Parameters.front().Name);
  if (R.Is == PythonReturn::Unknown || R.Is == PythonReturn::Call ||
      R.Is == PythonReturn::Sequence || !IsKnown)
    return std::nullopt;
  return R.Is == PythonReturn::Tuple ? R.Count : 1;
}

std::string gradients(size_t N) { return counted(N, "gradient"); }

} // namespace

std::string opsig::whyNoAutogradFormula(const FunctionSchema &S) {
  if (any_of(S.Args.All, [](const Argument &Arg) { return Arg.isWrite(); }))
    return "it writes to an argument";
  if (S.Returns.empty())
    return "it returns nothing";
  for (const Argument &Arg : S.Args.All)
    if (S.Args.isKeywordOnly(Arg) && isTensorLike(Arg.Ty))
      return "its tensor '" + Arg.Name + "' is keyword-only";
  return "";
}

namespace {

class FormulaChecker {
public:
  FormulaChecker(const PythonCase &Of, PythonChecks &Checks)
      : Of(Of), Schema(*Of.Schema.Schema), Checks(Checks) {
    for (const Argument &Arg : Schema.Args.All) {
      NumPositional += !Schema.Args.isKeywordOnly(Arg);
      HasKeywords |= Schema.Args.isKeywordOnly(Arg);
      HasLists |= isTensorList(Arg.Ty);
    }
    for (const Argument &R : Schema.Returns)
      HasLists |= isTensorList(R.Ty);
  }

  void autograd();
  void vmap();

private:
  void checkOperator();
  void checkBackward(const PythonCallable &F, const UnitFacts &Unit);
  void checkGradients(const PythonCallable &F, const UnitFacts &Unit);
  std::vector<Fix> nonesFor(const PythonReturn &R, const UnitFacts &Unit);
  void checkSetup(const PythonCallable &F, const UnitFacts &Unit);
  void checkRule(const PythonCallable &F, const UnitFacts &Unit);
  void checkPair(const PythonCallable &F, const UnitFacts &Unit);
  std::string whyNoPair(const PythonReturn &R) const;
  Finding &report(FindingId Id, const UnitFacts &Unit, Span At, std::string Message) {
    Finding &Diag = Checks.report(Id, Unit, At, std::move(Message), Of);
    Checks.noteSchema(Diag, Of, Schema.NameAt);
    return Diag;
  }

  const PythonCase &Of;
  const FunctionSchema &Schema;
  PythonChecks &Checks;
  uint32_t NumPositional = 0;
  bool HasKeywords = false, HasLists = false;
};

void FormulaChecker::checkOperator() {
  if (std::string Why = whyNoAutogradFormula(Schema); !Why.empty())
    report(finding::PythonRegistration, *Of.In.Unit, Of.Use.At,
           Of.opName() + " cannot have an autograd formula: " + Why);
}

/// None for each argument that is no tensor, where the gradients that are there are those of the
/// tensors, in their order, or those of the arguments in front of it.
std::vector<Fix> FormulaChecker::nonesFor(const PythonReturn &R, const UnitFacts &Unit) {
  if (R.Is != PythonReturn::Tuple || R.Elements.empty() || R.Count >= NumPositional)
    return {};
  std::vector<bool> Tensors; // of the positional arguments
  for (const Argument &Arg : Schema.Args.All)
    if (!Schema.Args.isKeywordOnly(Arg))
      Tensors.push_back(isTensorLike(Arg.Ty));
  auto IsNone = [](const PythonReturn::Element &E) { return E.IsNone; };
  bool AreOfTensors = none_of(R.Elements, IsNone) && R.Count == size_t(count(Tensors, true));
  bool AreFirst = none_of(drop_begin(Tensors, R.Count), [](bool T) { return T; });
  for (size_t I = 0; AreFirst && I != R.Count; ++I)
    AreFirst = Tensors[I] || R.Elements[I].IsNone;
  if (!AreOfTensors && !AreFirst)
    return {};
  std::vector<Fix> Out;
  size_t Next = 0; // of the elements
  std::string Nones;
  for (size_t I = 0; I != Tensors.size(); ++I) {
    bool IsThere = Next < R.Count && (AreOfTensors ? Tensors[I] : true);
    if (!IsThere) {
      Nones += Next ? ", None" : "None, ";
      continue;
    }
    if (!Nones.empty())
      Out.push_back(Next ? Checks.edit(Unit, {0, R.Elements[Next - 1].At.end(), 0}, Nones)
                         : Checks.edit(Unit, {0, R.Elements[0].At.Offset, 0}, Nones));
    Nones.clear();
    ++Next;
  }
  if (!Nones.empty())
    Out.push_back(Checks.edit(Unit, {0, R.Elements.back().At.end(), 0}, Nones));
  return Out;
}

void FormulaChecker::checkGradients(const PythonCallable &F, const UnitFacts &Unit) {
  auto Report = [&](Span At, size_t Count) -> Finding & {
    return report(finding::GradientCount, Unit, At,
                  formatv("{0} returns {1}, but {2} takes {3}; {4}", Checks.nameOf(F),
                          gradients(Count), Of.opName(),
                          counted(NumPositional, HasKeywords ? "positional argument" : "argument"),
                          OnePerArgument));
  };
  for (const PythonReturn &R : F.Results) {
    std::optional<uint32_t> Count = countOf(R, F);
    if (!Count || *Count == NumPositional || (HasLists && !R.Tensors.empty()))
      continue;
    // What follows the last one is ignored by some releases, where it is None.
    bool MayFollow = R.Is == PythonReturn::Tuple && *Count > NumPositional && !HasLists &&
                     R.Defined <= NumPositional;
    if (!MayFollow)
      Report(R.At, *Count).Fixes = nonesFor(R, Unit);
  }
  if (F.Results.empty() && F.FallsOff && NumPositional != 1)
    Report(F.NameAt, 1);
}

void FormulaChecker::checkBackward(const PythonCallable &F, const UnitFacts &Unit) {
  if (!F.Alters.empty())
    return;
  PythonCall Call;
  Call.Positional.push_back("ctx");
  for (size_t I = 0; I < Schema.Returns.size(); ++I)
    Call.Positional.push_back("gradient " + std::to_string(I + 1));
  ArrayRef<std::string> Bound = Of.Use.Function.Keywords;
  if (!bindPython(F, Of.Use.Function.Skip, Bound, Call).empty())
    report(finding::GradientCount, Unit, F.NameAt,
           formatv("{0} must take the context and {1}, one per return of {2}", Checks.nameOf(F),
                   gradients(Schema.Returns.size()), Of.opName()));
  if (F.isPlain())
    checkGradients(F, Unit);
}

void FormulaChecker::checkSetup(const PythonCallable &F, const UnitFacts &Unit) {
  if (!F.Alters.empty())
    return;
  PythonCall Call;
  Call.Keywords = {"ctx", "inputs", "output"};
  if (HasKeywords)
    Call.Keywords.push_back("keyword_only_inputs");
  if (!bindPython(F, Of.Setup.Function ? Of.Use.Setup.Skip : 0, Of.Use.Setup.Keywords, Call)
           .empty()) {
    report(finding::PythonFormula, Unit, F.NameAt,
           formatv("{0} must name its parameters 'ctx', 'inputs'{1} and 'output', because PyTorch "
                   "passes them by name",
                   Checks.nameOf(F), HasKeywords ? ", 'keyword_only_inputs'" : ""));
    return;
  }
  for (const PythonUnpack &U : F.Unpacks) {
    if (U.Parameter == "inputs" && U.Count != NumPositional)
      report(finding::PythonFormula, Unit, U.At,
             formatv("'inputs' has {0}, but {1} unpacks {2}", counted(NumPositional, "value"),
                     Checks.nameOf(F), U.Count));
    if (U.Parameter == "output" && Schema.Returns.size() > 1 && U.Count != Schema.Returns.size())
      report(finding::PythonFormula, Unit, U.At,
             formatv("'output' has {0} values, but {1} unpacks {2}", Schema.Returns.size(),
                     Checks.nameOf(F), U.Count));
  }
}

void FormulaChecker::autograd() {
  checkOperator();
  if (Of.Function)
    checkBackward(*Of.Function.Function, *Of.Function.In->Unit);
  if (Of.Setup)
    checkSetup(*Of.Setup.Function, *Of.Setup.In->Unit);
}

void FormulaChecker::checkRule(const PythonCallable &F, const UnitFacts &Unit) {
  if (!F.Alters.empty())
    return;
  PythonCall Full{{"info", "in_dims"}, {}}, Least = Full;
  size_t Fewest = 0, Index = 0;
  for (const Argument &Arg : Schema.Args.All)
    if (!Schema.Args.isKeywordOnly(Arg) && (++Index, !Arg.Default))
      Fewest = Index;
  Index = 0;
  for (const Argument &Arg : Schema.Args.All) {
    (Schema.Args.isKeywordOnly(Arg) ? Full.Keywords : Full.Positional).push_back(Arg.Name);
    bool IsGiven = Schema.Args.isKeywordOnly(Arg) ? !Arg.Default : Index++ < Fewest;
    if (IsGiven)
      (Schema.Args.isKeywordOnly(Arg) ? Least.Keywords : Least.Positional).push_back(Arg.Name);
  }
  const PythonReference &Use = Of.Use.Function;
  if (!bindPython(F, Use.Skip, Use.Keywords, Full).empty())
    report(finding::PythonFormula, Unit, F.NameAt,
           formatv("{0} must take 'info', 'in_dims' and the {1} of {2}", Checks.nameOf(F),
                   counted(Schema.Args.size(), "argument"), Of.opName()));
  else if (!bindPython(F, Use.Skip, Use.Keywords, Least).empty())
    report(finding::PythonDefault, Unit, F.NameAt,
           formatv("{0} needs the same defaults as {1}, because PyTorch omits arguments that equal "
                   "their defaults",
                   Checks.nameOf(F), Of.opName()));
  else
    comparePythonDefaults(Of, 2, Checks);
}

/// "" for a pair, and where that is not known.
std::string FormulaChecker::whyNoPair(const PythonReturn &R) const {
  if (R.Is == PythonReturn::None)
    return "None";
  if (R.Is == PythonReturn::Value)
    return "1 value";
  if (R.Is == PythonReturn::List)
    return "a list";
  if (!areTensors(Of, 2, R.Tensors))
    return "";
  if (R.Is == PythonReturn::Tensor)
    return "a tensor";
  if (R.Is == PythonReturn::Call) {
    const FunctionSchema *Callee = Checks.schemaOfCallee(Of.In, R.Callee);
    if (!Callee || Callee->VarReturns)
      return "";
    if (Callee->Returns.size() == 1 && !isTensorList(Callee->Returns.front().Ty))
      return "only the value of '" + R.Callee + "'";
    return "";
  }
  if (R.Is != PythonReturn::Tuple)
    return "";
  if (R.Count != 2)
    return formatv("{0} values", R.Count).str();
  return "";
}

void FormulaChecker::checkPair(const PythonCallable &F, const UnitFacts &Unit) {
  auto Report = [&](Span At, StringRef What) {
    report(finding::PythonFormula, Unit, At,
           formatv("{0} returns {1}; a vmap rule must return the pair (output, out_dims)",
                   Checks.nameOf(F), What));
  };
  size_t Want = Schema.Returns.size();
  for (const PythonReturn &R : F.Results) {
    if (std::string Why = whyNoPair(R); !Why.empty()) {
      Report(R.At, Why);
      continue;
    }
    if (R.Is != PythonReturn::Tuple || R.Count != 2 || HasLists)
      continue;
    bool OutputDiffers = R.FirstIs == PythonReturn::Tuple && Want > 1 && R.FirstCount != Want;
    bool DimsDiffer = R.SecondIs == PythonReturn::Tuple &&
                      (Want > 1 ? R.SecondCount != Want : R.FirstIs != PythonReturn::Tuple);
    if (OutputDiffers || DimsDiffer || (Want > 1 && R.SecondIs == PythonReturn::List))
      report(finding::PythonFormula, Unit, R.At,
             formatv("{0} of {1} must be {2} to match the returns of {3}",
                     OutputDiffers ? "the output" : "out_dims", Checks.nameOf(F),
                     Want == 1 ? std::string("one value")
                               : formatv("a tuple of {0} values", Want).str(),
                     Of.opName()));
  }
  if (F.Results.empty() && F.FallsOff)
    Report(F.NameAt, "None");
}

void FormulaChecker::vmap() {
  if (!Of.Function)
    return;
  checkRule(*Of.Function.Function, *Of.Function.In->Unit);
  if (Of.Function.Function->isPlain())
    checkPair(*Of.Function.Function, *Of.Function.In->Unit);
}

} // namespace

void opsig::checkPythonAutograd(const PythonCase &Of, PythonChecks &Checks) {
  FormulaChecker(Of, Checks).autograd();
}

void opsig::checkPythonVmap(const PythonCase &Of, PythonChecks &Checks) {
  FormulaChecker(Of, Checks).vmap();
}

/// The parameters of forward() that stand for what apply() is given: how many there are, and how
/// many have to be given; nothing where that is not known.
static std::optional<std::pair<uint32_t, uint32_t>> inputsOf(const PythonCallable &Forward,
                                                             bool HasSetup) {
  uint32_t Count = 0, Required = 0;
  for (const PythonParameter &P : Forward.Parameters) {
    if (P.Is == PythonParameter::Star || P.Is == PythonParameter::Stars ||
        P.Is == PythonParameter::Keyword)
      return std::nullopt;
    ++Count;
    Required += !P.HasDefault;
  }
  uint32_t Context = HasSetup ? 0 : 1;
  if (Count < Context || (!Forward.Parameters.empty() && Forward.Parameters[0].Name == "self"))
    return std::nullopt;
  return std::pair(Count - Context, Required < Context ? 0 : Required - Context);
}

void opsig::checkPythonClasses(const PythonUnit &In, PythonChecks &Checks) {
  for (const PythonClass &C : In.Facts.Classes) {
    if (C.Forward < 0 || C.Backward < 0)
      continue;
    const PythonCallable &Forward = In.Facts.Functions[size_t(C.Forward)];
    const PythonCallable &Backward = In.Facts.Functions[size_t(C.Backward)];
    auto Inputs = inputsOf(Forward, C.Setup >= 0);
    if (!Inputs || !Forward.Alters.empty() || !Backward.isPlain())
      continue;
    auto [Count, Required] = *Inputs;
    for (const PythonReturn &R : Backward.Results) {
      std::optional<uint32_t> Given = countOf(R, Backward);
      // What only raises, or is a stub, gives nothing.
      if (!Given || R.Is == PythonReturn::None)
        continue;
      bool TooFew = *Given < Required;
      bool TooMany = R.Is == PythonReturn::Tuple ? R.Defined > Count : *Given > Count;
      if (!TooFew && !TooMany)
        continue;
      PythonCase None{In, {}, {}, {}, {}, ""};
      Finding &Diag = Checks.report(
          finding::GradientCount, *In.Unit, R.At,
          formatv("'{0}.backward' returns {1}, but 'forward' takes {2} after the context; {3}",
                  C.Name, gradients(*Given), counted(TooFew ? Required : Count, "argument"),
                  TooFew ? OnePerArgument : "additional values must be 'None'"),
          None);
      Diag.note(Checks.place(*In.Unit, Forward.NameAt), "'forward' declared here");
    }
  }
}
