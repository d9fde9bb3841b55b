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

bool isTensorList(const Type &Ty) {
  return Ty.isTensorLike() &&
         any_of(Ty.suffixes(), [](TypeSuffix S) { return S.Is == TypeSuffix::List; });
}

bool isTensorLike(const Type &Ty) {
  return Ty.is(BaseTy::Tensor) || (Ty.isOptional() && Ty.elem().is(BaseTy::Tensor)) ||
         isTensorList(Ty);
}

std::string gradients(size_t N) { return counted(N, "gradient"); }

} // namespace

std::optional<uint32_t> opsig::countPythonGradients(const PythonReturn &R,
                                                    const PythonCallable &F) {
  if (R.Is == PythonReturn::Sequence && R.Callee == "list")
    return 1; // which is no tuple
  bool IsKnown = R.Tensors.empty() || !is_contained(R.Tensors, F.Parameters.front().Name);
  if (R.Is == PythonReturn::Unknown || R.Is == PythonReturn::Call ||
      R.Is == PythonReturn::Sequence || !IsKnown)
    return std::nullopt;
  return R.Is == PythonReturn::Tuple ? R.Count : 1;
}

PythonCount opsig::positionalCount(const FunctionSchema &Schema) {
  PythonCount Out;
  for (const Argument &Arg : Schema.Args.All)
    if (!Schema.Args.isKeywordOnly(Arg) && (++Out.Most, !Arg.Default))
      Out.Least = Out.Most;
  return Out;
}

std::string opsig::whyNotUnpacked(const PythonUnpack &U, PythonCount Values, StringRef Text,
                                  StringRef Name) {
  std::string Have = Values.Least == Values.Most
                         ? counted(Values.Most, "value")
                         : formatv("{0} to {1} values", Values.Least, Values.Most).str();
  switch (U.Is) {
  case PythonUnpack::Exactly:
    if (U.Count >= Values.Least && U.Count <= Values.Most)
      return "";
    return formatv("'{0}' has {1}, but {2} unpacks {3}", U.Parameter, Have, Name, U.Count);
  case PythonUnpack::AtLeast:
    if (U.Count <= Values.Most)
      return "";
    return formatv("'{0}' has {1}, but {2} unpacks at least {3}", U.Parameter, Have, Name, U.Count);
  case PythonUnpack::Element:
    if (U.Count <= Values.Most)
      return "";
    return formatv("'{0}' has {1}, but {2} reads '{3}'", U.Parameter, Have, Name, Text);
  case PythonUnpack::Key:
    return formatv("'{0}' is a tuple, but {1} reads '{2}'", U.Parameter, Name, Text);
  }
  llvm_unreachable("all kinds are handled");
}

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
  std::vector<Fix> withoutNones(const PythonReturn &R, const UnitFacts &Unit);
  void checkCall();
  void checkSetup(const PythonCallable &F, const UnitFacts &Unit);
  std::string whyNotInSetup(const PythonUnpack &U, StringRef Text, StringRef Name);
  void checkRule(const PythonCallable &F, const UnitFacts &Unit);
  void checkDims(const PythonCallable &F, const UnitFacts &Unit);
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
  std::string Why = whyNoAutogradFormula(Schema);
  // Only register_autograd() refuses these; a formula in C++ may be of a view.
  if (Why.empty() &&
      any_of(Schema.Returns, [](const Return &R) { return R.Annotation && !R.isWrite(); }))
    Why = "it returns an alias of an argument";
  if (!Why.empty())
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

/// Takes away what is None behind the last argument.
std::vector<Fix> FormulaChecker::withoutNones(const PythonReturn &R, const UnitFacts &Unit) {
  if (R.Elements.empty() || R.Defined > NumPositional || NumPositional == 0)
    return {};
  Span From = R.Elements[NumPositional].CutAt;
  return {
      Checks.edit(Unit, {From.File, From.Offset, R.Elements.back().At.end() - From.Offset}, "")};
}

void FormulaChecker::checkGradients(const PythonCallable &F, const UnitFacts &Unit) {
  auto Report = [&](Span At, size_t Count) -> Finding & {
    return report(finding::GradientCount, Unit, At,
                  formatv("{0} returns {1}, but {2} takes {3}; {4}", Checks.nameOf(F),
                          gradients(Count), Of.opName(),
                          counted(NumPositional, HasKeywords ? "positional argument" : "argument"),
                          OneGradientPerArgument));
  };
  const LibraryTraits &Library = Checks.library();
  for (const PythonReturn &R : F.Results) {
    std::optional<uint32_t> Count = countPythonGradients(R, F);
    if (!Count || *Count == NumPositional || (HasLists && !R.Tensors.empty()))
      continue;
    // What follows the last one is ignored by some releases, where it is None.
    bool MayFollow = !Library.CountsGradients && R.Is == PythonReturn::Tuple &&
                     *Count > NumPositional && !HasLists && R.Defined <= NumPositional;
    if (!MayFollow)
      Report(R.At, *Count).Fixes =
          *Count < NumPositional ? nonesFor(R, Unit) : withoutNones(R, Unit);
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
  auto Text = [&](const PythonUnpack &U) { return Checks.files().text(Unit, U.At); };
  for (const PythonUnpack &U : F.Unpacks)
    if (std::string Why = whyNotInSetup(U, Text(U), Checks.nameOf(F)); !Why.empty())
      report(finding::PythonFormula, Unit, U.At, Why);
}

/// Defaults are filled in for it.
std::string FormulaChecker::whyNotInSetup(const PythonUnpack &U, StringRef Text, StringRef Name) {
  uint32_t Outputs = Schema.Returns.size();
  if (U.Parameter == "inputs")
    return whyNotUnpacked(U, {NumPositional, NumPositional}, Text, Name);
  if (U.Parameter == "output" && Outputs > 1)
    return whyNotUnpacked(U, {Outputs, Outputs}, Text, Name);
  if (U.Parameter != "keyword_only_inputs" || U.Is != PythonUnpack::Key)
    return "";
  auto IsIt = [&](const Argument &Arg) {
    return Schema.Args.isKeywordOnly(Arg) && Arg.Name == U.Word;
  };
  if (any_of(Schema.Args.All, IsIt))
    return "";
  return formatv("{0} has no keyword-only argument '{1}', but {2} reads '{3}'", Of.opName(), U.Word,
                 Name, Text);
}

/// What Python itself refuses.
void FormulaChecker::checkCall() {
  if (Of.Use.Refused == "decorator")
    report(finding::PythonRegistration, *Of.In.Unit, Of.Use.At,
           "'register_autograd' needs the backward function as an argument, so it cannot be called "
           "as a decorator");
  if (Of.Use.Refused == "positional") {
    Finding &Diag = report(finding::PythonRegistration, *Of.In.Unit, Of.Use.Setup.At,
                           "'register_autograd' takes 'setup_context' only by keyword");
    Diag.Hint = "setup_context=";
    Diag.Fixes = {Checks.edit(*Of.In.Unit, {Of.Use.Setup.At.File, Of.Use.Setup.At.Offset, 0},
                              "setup_context=")};
  }
}

void FormulaChecker::autograd() {
  checkOperator();
  checkCall();
  if (Of.Function)
    checkBackward(*Of.Function.Function, *Of.Function.In->Unit);
  if (Of.Setup)
    checkSetup(*Of.Setup.Function, *Of.Setup.In->Unit);
}

void FormulaChecker::checkRule(const PythonCallable &F, const UnitFacts &Unit) {
  if (!F.Alters.empty())
    return;
  PythonCall Full{{"info", "in_dims"}, {}}, Least = Full;
  size_t Fewest = positionalCount(Schema).Least, Index = 0;
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

/// 'in_dims' has one for each positional argument that is passed.
void FormulaChecker::checkDims(const PythonCallable &F, const UnitFacts &Unit) {
  for (const PythonUnpack &U : F.Unpacks) {
    if (U.Parameter != "in_dims" || Of.Use.Function.Skip || !F.Alters.empty())
      continue;
    std::string Why = whyNotUnpacked(U, positionalCount(Schema), Checks.files().text(Unit, U.At),
                                     Checks.nameOf(F));
    if (!Why.empty())
      report(finding::PythonFormula, Unit, U.At, Why);
  }
}

void FormulaChecker::vmap() {
  if (!Of.Function)
    return;
  checkDims(*Of.Function.Function, *Of.Function.In->Unit);
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
