//===- PythonClasses.cpp - torch.autograd.Function in Python ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What PyTorch calls: forward([ctx,] *inputs), setup_context(ctx, inputs, output), and
// backward(ctx, *one gradient per output), which returns one value per input. Where a kernel is
// `F.apply`, the inputs are those that the dispatcher passes, without those at the end that equal
// their defaults.
//
//===----------------------------------------------------------------------===//
#include "Python/PythonInternal.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace opsig;
using namespace llvm;

namespace {

class ClassChecker {
public:
  /// \p Of: what is registered; findings name its operator, if it has one.
  ClassChecker(const PythonUnit &In, const PythonClass &C, const PythonCase &Of,
               PythonChecks &Checks)
      : In(In), C(C), Forward(function(C.Forward)), Backward(function(C.Backward)), Of(Of),
        Checks(Checks) {}

  /// By what the class itself says.
  void checkAlone();
  /// By the schema, where the class does not say it.
  void checkRegistered();

private:
  const PythonCallable &function(int Number) const { return In.Facts.Functions[size_t(Number)]; }
  bool isKnown() const { return Forward.Alters.empty() && Backward.isPlain(); }
  std::optional<PythonCount> inputs() const;
  std::optional<size_t> outputs() const;
  void checkGradients(size_t Outputs, StringRef OutputsOf);
  /// \p Are: "'forward' takes {0} after the context"
  void checkResults(PythonCount Inputs, const char *Are);
  void checkSetup(PythonCount Inputs);
  Finding &report(FindingId Id, Span At, std::string Message) {
    return Checks.report(Id, *In.Unit, At, std::move(Message), Of);
  }

  const PythonUnit &In;
  const PythonClass &C;
  const PythonCallable &Forward, &Backward;
  const PythonCase &Of;
  PythonChecks &Checks;
};

/// The parameters of forward() that stand for what apply() is given: how many there are, and how
/// many have to be given; nothing where that is not known.
std::optional<PythonCount> ClassChecker::inputs() const {
  PythonCount Out;
  for (const PythonParameter &P : Forward.Parameters) {
    if (P.Is == PythonParameter::Star || P.Is == PythonParameter::Stars ||
        P.Is == PythonParameter::Keyword)
      return std::nullopt;
    ++Out.Most;
    Out.Least += !P.HasDefault;
  }
  uint32_t Context = C.Setup >= 0 ? 0 : 1;
  if (Out.Most < Context || (!Forward.Parameters.empty() && Forward.Parameters[0].Name == "self"))
    return std::nullopt;
  return PythonCount{Out.Least < Context ? 0 : Out.Least - Context, Out.Most - Context};
}

/// How many outputs forward() surely has.
std::optional<size_t> ClassChecker::outputs() const {
  if (!Forward.isPlain() || Forward.FallsOff || Forward.Results.empty())
    return std::nullopt;
  std::set<size_t> Counts;
  for (const PythonReturn &R : Forward.Results) {
    if (!R.Tensors.empty() || (R.Is != PythonReturn::Tuple && R.Is != PythonReturn::Tensor))
      return std::nullopt;
    Counts.insert(R.Is == PythonReturn::Tuple ? R.Count : 1);
  }
  return Counts.size() == 1 ? std::optional(*Counts.begin()) : std::nullopt;
}

void ClassChecker::checkGradients(size_t Outputs, StringRef OutputsOf) {
  PythonCall Call;
  Call.Positional.push_back("ctx");
  for (size_t I = 0; I < Outputs; ++I)
    Call.Positional.push_back("gradient " + std::to_string(I + 1));
  if (!bindPython(Backward, 0, {}, Call).empty())
    report(finding::GradientCount, Backward.NameAt,
           formatv("'{0}.backward' must take the context and {1}, one per return of {2}", C.Name,
                   counted(Outputs, "gradient"), OutputsOf))
        .note(Checks.place(*In.Unit, Forward.NameAt), "'forward' declared here");
}

/// What only raises, or is a stub, gives nothing. None may follow the last gradient.
std::optional<size_t> wrongCount(const PythonReturn &R, const PythonCallable &Backward,
                                 PythonCount Inputs) {
  std::optional<uint32_t> Given = countPythonGradients(R, Backward);
  if (!Given || R.Is == PythonReturn::None)
    return std::nullopt;
  bool TooMany = (R.Is == PythonReturn::Tuple ? R.Defined : *Given) > Inputs.Most;
  return *Given < Inputs.Least || TooMany ? std::optional<size_t>(*Given) : std::nullopt;
}

void ClassChecker::checkResults(PythonCount Inputs, const char *Are) {
  for (const PythonReturn &R : Backward.Results) {
    std::optional<size_t> Given = wrongCount(R, Backward, Inputs);
    if (!Given)
      continue;
    bool TooFew = *Given < Inputs.Least;
    std::string Arguments = counted(TooFew ? Inputs.Least : Inputs.Most, "argument");
    report(finding::GradientCount, R.At,
           formatv("'{0}.backward' returns {1}, but {2}; {3}", C.Name, counted(*Given, "gradient"),
                   formatv(Are, Arguments),
                   TooFew ? OneGradientPerArgument : "additional values must be 'None'"))
        .note(Checks.place(*In.Unit, Forward.NameAt), "'forward' declared here");
  }
}

/// PyTorch passes its arguments by position.
void ClassChecker::checkSetup(PythonCount Inputs) {
  const PythonCallable &Setup = function(C.Setup);
  if (!Setup.isPlain() || Setup.Parameters.size() < 3)
    return;
  for (const PythonUnpack &U : Setup.Unpacks) {
    std::optional<PythonCount> Values;
    if (U.Parameter == Setup.Parameters[1].Name)
      Values = Inputs;
    else if (std::optional<size_t> N = outputs(); N && *N > 1)
      if (U.Parameter == Setup.Parameters[2].Name)
        Values = PythonCount{uint32_t(*N), uint32_t(*N)};
    StringRef Text = Checks.files().text(*In.Unit, U.At);
    std::string Why = Values ? whyNotUnpacked(U, *Values, Text, Checks.nameOf(Setup)) : "";
    if (!Why.empty())
      report(finding::PythonFormula, U.At, Why)
          .note(Checks.place(*In.Unit, Forward.NameAt), "'forward' declared here");
  }
}

void ClassChecker::checkAlone() {
  std::optional<PythonCount> Inputs = inputs();
  if (!isKnown())
    return;
  if (std::optional<size_t> Outputs = outputs())
    checkGradients(*Outputs, "'forward'");
  if (!Inputs)
    return;
  checkResults(*Inputs, "'forward' takes {0} after the context");
  if (C.Setup >= 0)
    checkSetup(*Inputs);
}

void ClassChecker::checkRegistered() {
  const FunctionSchema &Schema = *Of.Schema.Schema;
  if (!isKnown())
    return;
  bool HasList = any_of(Schema.Returns, [](const Argument &R) { return !R.Ty.is(BaseTy::Tensor); });
  if (!outputs() && !HasList && !Schema.Returns.empty())
    checkGradients(Schema.Returns.size(), Of.opName());
  std::optional<PythonCount> Own = inputs();
  bool IsReported = Own && any_of(Backward.Results, [&](const PythonReturn &R) {
                      return wrongCount(R, Backward, *Own).has_value();
                    });
  if (!IsReported)
    checkResults(positionalCount(Schema), (Of.opName() + " has {0}").c_str());
}

} // namespace

void opsig::checkPythonClasses(const PythonUnit &In, PythonChecks &Checks) {
  for (const PythonClass &C : In.Facts.Classes)
    if (C.Forward >= 0 && C.Backward >= 0)
      ClassChecker(In, C, {In, {}, {}, {}, {}, ""}, Checks).checkAlone();
}

void opsig::checkPythonApply(const PythonCase &Of, PythonChecks &Checks) {
  const PythonUnit &In = *Of.Function.In;
  if (!Checks.files().text(*Of.In.Unit, Of.Use.Function.At).ends_with(".apply"))
    return;
  for (const PythonClass &C : In.Facts.Classes)
    if (C.Forward >= 0 && C.Backward >= 0 &&
        &In.Facts.Functions[size_t(C.Forward)] == Of.Function.Function)
      ClassChecker(In, C, Of, Checks).checkRegistered();
}
