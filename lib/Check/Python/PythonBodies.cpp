//===- PythonBodies.cpp - What Python kernels and fakes do ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels: writes and returned arguments against the schema's alias annotations, as in C++
//   (Effects). Fakes: sizes made plain numbers, elements read, sizes that the schema has as `int`.
//
//===----------------------------------------------------------------------===//
#include "Python/PythonInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace opsig;
using namespace llvm;

namespace {

/// For each argument of the schema the parameter that gets it, by number; none where one has none
/// of its own.
std::optional<std::vector<unsigned>> parametersOf(const PythonCase &Of) {
  const PythonCallable &F = *Of.Function.Function;
  std::vector<unsigned> Normal, Out;
  for (unsigned I = 0; I != F.Parameters.size(); ++I)
    if (F.Parameters[I].Is == PythonParameter::Positional ||
        F.Parameters[I].Is == PythonParameter::Normal)
      Normal.push_back(I);
  size_t Next = Of.Use.Function.Skip + (Of.Use.KeySet ? 1 : 0);
  for (const Argument &A : Of.Schema.Schema->Args.All) {
    auto Named = find_if(F.Parameters, [&](const PythonParameter &P) { return P.Name == A.Name; });
    if (Of.Schema.Schema->Args.isKeywordOnly(A) && Named != F.Parameters.end())
      Out.push_back(Named - F.Parameters.begin());
    else if (!Of.Schema.Schema->Args.isKeywordOnly(A) && Next < Normal.size())
      Out.push_back(Normal[Next++]);
    else
      return std::nullopt;
  }
  return Out;
}

bool isWholeNumber(const Type &Ty) { return Ty.base() == BaseTy::Int; }

bool hasSymbolicSize(const FunctionSchema &Schema) {
  return any_of(Schema.Args.All, [](const Argument &A) { return A.Ty.base() == BaseTy::SymInt; });
}

class BodyChecker {
public:
  BodyChecker(const PythonCase &Of, PythonChecks &Checks)
      : Of(Of), F(*Of.Function.Function), Unit(*Of.Function.In->Unit), Schema(*Of.Schema.Schema),
        Checks(Checks) {}

  void checkEffects();
  void checkFakeAliases();
  void checkOwnCalls();
  void checkShapes();

private:
  std::vector<Fix> fixes(const EffectFinding &Hit, const KernelEffects &Effects);
  std::vector<Fix> addToMutates(const EffectFinding &Hit, const KernelEffects &Effects);
  void checkShape(const PythonShape &Shape, const Argument &Arg);
  /// What the body does, with the parameters that get the arguments; null if one is not known.
  const KernelEffects *read();
  MarkedSchema markedSchemaOf() const;
  bool isWrittenByOperator(const EffectFinding &Hit) const;

  const PythonCase &Of;
  const PythonCallable &F;
  const UnitFacts &Unit;
  const FunctionSchema &Schema;
  PythonChecks &Checks;
  std::vector<unsigned> Params;
};

std::vector<unsigned> argumentsOf(const EffectFinding &Hit) {
  std::vector<unsigned> Args = {Hit.Arg};
  for (const EffectFinding &Other : Hit.Others)
    Args.push_back(Other.Arg);
  llvm::sort(Args);
  return Args;
}

/// The names of the parameters in `mutates_args`. PyTorch refuses a function of custom_op that
/// returns what it writes to, so such a one is left to its author.
std::vector<Fix> BodyChecker::addToMutates(const EffectFinding &Hit, const KernelEffects &Effects) {
  const PythonMutates &Mutates = Of.Use.Mutates;
  if (!Mutates.IsGiven || Mutates.Unknown || Mutates.Word || Of.Use.HasSchema ||
      Checks.files().file(*Of.In.Unit, 0) != Checks.files().file(Unit, 0))
    return {};
  std::string Names;
  for (unsigned Arg : argumentsOf(Hit)) {
    auto Returns = [&](const ReturnEffect &R) { return R.Param == Params[Arg]; };
    if (any_of(Effects.Whole, Returns) ||
        any_of(Effects.Parts, [&](const auto &Part) { return any_of(Part, Returns); }))
      return {};
    Names += (Names.empty() ? "\"" : ", \"") + F.Parameters[Params[Arg]].Name + "\"";
  }
  if (Mutates.Names.empty())
    return {Checks.edit(Unit, Mutates.At, "(" + Names + ",)")};
  Span Last = Mutates.Names.back().Whole;
  return {Checks.edit(Unit, {Last.File, Last.Offset + Last.Length, 0}, ", " + Names)};
}

std::vector<Fix> BodyChecker::fixes(const EffectFinding &Hit, const KernelEffects &Effects) {
  bool Infers = Of.Use.What == "custom-op" || Of.Use.What == "registrar";
  if (Infers && !Of.Use.HasSchema)
    return addToMutates(Hit, Effects);
  if (!Of.Schema.Def || Of.Schema.Def->Entry->Text.Pieces.empty())
    return {};
  auto IsArg = [&](unsigned Return, unsigned Arg) {
    return any_of(Effects.ofReturn(Return, Schema.Returns.size()), [&](const ReturnEffect &R) {
      return R.Param == Params[Arg] && R.Same && R.Sure == Confidence::Certain;
    });
  };
  return markWritten(Of.Schema, argumentsOf(Hit), IsArg, Checks.files());
}

/// By the parameters that get the arguments.
MarkedSchema BodyChecker::markedSchemaOf() const {
  MarkedSchema Marked = markedSchema(Schema, 0);
  for (MarkedArgument &A : Marked.Args)
    A.Param = Params[&A - Marked.Args.data()];
  return Marked;
}

/// An operator writes it, by the name that PyTorch has for it.
bool BodyChecker::isWrittenByOperator(const EffectFinding &Hit) const {
  const FunctionFlow *Flow = Checks.effects().flowOf(Unit, F.NameAt, F.Qualified);
  return Hit.Id != finding::AliasUnmarked && Hit.Id != finding::AliasPossible && Flow &&
         any_of(Flow->Calls, [&](const FlowCall &Call) {
           return Call.At.Offset == Hit.At.Offset && Call.At.Length == Hit.At.Length &&
                  StringRef(Call.Callee).starts_with("torch.");
         });
}

const KernelEffects *BodyChecker::read() {
  std::optional<std::vector<unsigned>> Known = parametersOf(Of);
  const KernelEffects *Own = Checks.effects().of(Unit, F.NameAt, F.Qualified);
  if (!Known || !Own)
    return nullptr;
  Params = std::move(*Known);
  return Own;
}

void BodyChecker::checkEffects() {
  const KernelEffects *Own = read();
  if (!Own)
    return;
  MarkedSchema Marked = markedSchemaOf();
  Checks.returnsOf(Of).add(Marked, *Own);
  if (Of.Schema.Function)
    excuseDestination(*Of.Schema.Function, Marked);
  std::string Name = PythonChecks::nameOf(F);
  std::vector<EffectFinding> Hits = compareEffects(Marked, *Own, Name);
  // Other kernels, and code that is called by other names, may write it.
  // A list that nothing says is one: an assignment may put other tensors into it.
  erase_if(Hits, [&](const EffectFinding &Hit) {
    return Hit.Id == finding::MutationUnwritten ||
           (Marked.Args[Hit.Arg].List && !F.Parameters[Params[Hit.Arg]].Type &&
            !isWrittenByOperator(Hit));
  });
  groupByKernel(Hits, Name);
  for (const EffectFinding &Hit : Hits) {
    bool IsReturn = Hit.Id == finding::AliasUnmarked || Hit.Id == finding::AliasPossible;
    Span At = Hit.At.isValid() ? Hit.At : F.Parameters[Params[Hit.Arg]].NameAt;
    Finding &Diag = Checks.report(Hit.Id, Unit, At, Hit.Message, Of);
    Diag.Sure = Hit.Sure;
    addWriteNotes(Diag, Hit, [&](Span At) { return Checks.place(Unit, At); });
    Checks.noteSchema(
        Diag, Of, IsReturn ? Schema.Returns[Hit.Return].TypeAt : Schema.Args.All[Hit.Arg].TypeAt);
    if (Hit.Id == finding::MutationUnmarked)
      Diag.Fixes = fixes(Hit, *Own);
  }
}

/// "the fake kernel 'f'"
std::string nameOfFake(const PythonCase &Of) {
  const PythonCallable &F = *Of.Function.Function;
  if (Of.isTritonOp())
    return PythonChecks::nameOf(F) + ", which is also the fake kernel,";
  return F.isLambda() ? "the fake lambda" : "the fake kernel " + PythonChecks::nameOf(F);
}

void BodyChecker::checkFakeAliases() {
  const KernelEffects *Own = read();
  if (!Own)
    return;
  FakeWords Words{nameOfFake(Of), "torch.empty_like"};
  for (FakeAlias &Alias : aliasesOfFake(markedSchemaOf(), *Own, Checks.returnsOf(Of), Words)) {
    Finding &Diag = Checks.report(finding::FakeAlias, Unit, Alias.At, std::move(Alias.Message), Of);
    Diag.Sure = Alias.Sure;
    Checks.noteSchema(Diag, Of, Schema.Returns[Alias.Return].TypeAt);
  }
}

void BodyChecker::checkOwnCalls() {
  const FunctionFlow *Flow = Checks.effects().flowOf(Unit, F.NameAt, F.Qualified);
  for (const FlowCall &Call : Flow ? ArrayRef(Flow->Handed) : ArrayRef<FlowCall>()) {
    StringRef Callee = Call.Callee;
    Callee.consume_front("torch.ops.");
    Callee.consume_back(".default");
    auto [Namespace, Name] = Callee.split('.');
    if ((Namespace + "::" + Name).str() != Of.Op)
      continue;
    Checks.report(finding::KernelCallsItself, Unit, Call.At,
                  formatv("{0} calls its own operator '{1}' with unchanged arguments, which causes "
                          "infinite recursion through the dispatcher",
                          PythonChecks::nameOf(F), Of.Op)
                      .str(),
                  Of);
    return;
  }
}

void BodyChecker::checkShape(const PythonShape &Shape, const Argument &Arg) {
  std::string Name = nameOfFake(Of), Param = F.Parameters[Shape.Param].Name;
  auto Report = [&](FindingId Id, std::string Message) -> Finding & {
    return Checks.report(Id, Unit, Shape.At, std::move(Message), Of);
  };
  if (Shape.Is == PythonShape::Size) {
    // The author of a schema without SymInt may want a program for each number.
    if (!isWholeNumber(Arg.Ty) || !Of.isOwn() || !hasSymbolicSize(Schema))
      return;
    Finding &Diag = Report(finding::SymbolicSchema,
                           formatv("'{0}' is a size, but its type in the schema is 'int', so "
                                   "PyTorch recompiles for each value; use 'SymInt'",
                                   Param)
                               .str());
    Checks.noteSchema(Diag, Of, Arg.TypeAt);
    return;
  }
  bool IsSymbol = Arg.Ty.base() == BaseTy::SymInt && Shape.Is == PythonShape::Value;
  if (IsSymbol && Shape.What != "int()")
    return;
  if (!Arg.Ty.isTensorLike() && !IsSymbol)
    return;
  if (Shape.Is == PythonShape::Number || IsSymbol) {
    Finding &Diag =
        Report(finding::SymbolicSize,
               formatv("int() turns {0}'{1}' into a constant, so PyTorch recompiles for each {2}",
                       IsSymbol ? "" : "a size of ", Param, IsSymbol ? "value" : "size")
                   .str());
    if (Shape.Instead)
      Diag.Fixes = {Checks.edit(Unit, Shape.At, *Shape.Instead)};
  } else if (Shape.Is == PythonShape::Value) {
    Report(finding::SymbolicValue,
           formatv("{0} reads an element of '{1}' with {2}; fake tensors have no data", Name, Param,
                   Shape.What)
               .str());
  } else {
    Report(
        finding::SymbolicValue,
        formatv("{0} branches on elements of '{1}'; fake tensors have no data", Name, Param).str());
  }
}

void BodyChecker::checkShapes() {
  std::optional<std::vector<unsigned>> Known = parametersOf(Of);
  if (!Known)
    return;
  std::set<unsigned> Sizes; // one finding for each argument
  uint32_t Number = &F - Of.Function.In->Facts.Functions.data();
  for (const PythonShape &Shape : Of.Function.In->Facts.Shapes) {
    auto Arg = find(*Known, Shape.Param);
    // What else a kernel makes of sizes is its own business.
    bool IsElement = Shape.Is == PythonShape::Value || Shape.Is == PythonShape::Branch;
    if (Shape.Function != Number || Arg == Known->end() || (Of.isTritonOp() && !IsElement))
      continue;
    unsigned Index = Arg - Known->begin();
    if (Shape.Is != PythonShape::Size || Sizes.insert(Index).second)
      checkShape(Shape, Schema.Args.All[Index]);
  }
}

} // namespace

bool opsig::isPythonFake(const LibraryUse &Use) {
  return Use.What == "fake" || Use.BlockKey == "Meta" ||
         any_of(Use.Keys,
                [](const PythonText &Key) { return Key.Value == "Meta" || Key.Value == "meta"; });
}

void opsig::checkPythonBody(const PythonCase &Of, PythonChecks &Checks) {
  if (isPythonFake(Of.Use) || !Of.Function.Function->Alters.empty())
    return; // fakes write nothing; see checkPythonFakeAliases()
  BodyChecker Checker(Of, Checks);
  Checker.checkEffects();
  Checker.checkOwnCalls();
}

void opsig::checkPythonShapes(const PythonCase &Of, PythonChecks &Checks) {
  if ((isPythonFake(Of.Use) || Of.isTritonOp()) && Of.Function.Function->Alters.empty())
    BodyChecker(Of, Checks).checkShapes();
}

void opsig::checkPythonFakeAliases(const PythonCase &Of, PythonChecks &Checks) {
  if (Of.Function.Function->Alters.empty())
    BodyChecker(Of, Checks).checkFakeAliases();
}
