//===- PythonAnnotations.cpp - what infer_schema() refuses --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Python/PythonInternal.h"
#include "Registrations/OutVariantsInternal.h"
#include "opsig/Dialect/LibraryTraits.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Support/TypoCorrection.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace opsig;
using namespace llvm;

namespace {

class AnnotationChecker {
public:
  AnnotationChecker(const PythonCase &Of, PythonChecks &Checks)
      : Of(Of), F(*Of.Function.Function), Unit(*Of.Function.In->Unit), Checks(Checks),
        Infers(is_contained(Checks.library().Names, "custom_op")),
        HasSchema(Of.Use.HasSchema && !ignoresSchema(Of, Checks)) {}

  void checkTypes();
  void checkMutated();
  void checkSchema();

private:
  void checkParameter(const PythonParameter &P);
  void checkReturn();
  std::string whyRefused(const PythonType &Ty) const;
  void respell(const PythonType &Ty, Finding &Diag);
  void checkGiven();
  std::optional<std::set<std::string>> written() const;
  std::string listed(const std::set<std::string> &Names) const;
  void checkWord();
  void checkInplace();
  void checkName(const PythonText &Name);
  Finding &report(FindingId Id, Span At, std::string Message) {
    return Checks.report(Id, Unit, At, std::move(Message), Of);
  }

  const PythonCase &Of;
  const PythonCallable &F;
  const UnitFacts &Unit;
  PythonChecks &Checks;
  bool Infers; ///< The release has what the code calls, so it tells what that takes.
  bool HasSchema;
};

/// So many parameters fit into a message.
constexpr size_t MostListed = 6;

bool isNumberOrNone(StringRef Default) {
  double Number;
  return Default == "None" || Default == "True" || Default == "False" ||
         !Default.getAsDouble(Number);
}

/// "" where the release takes the annotation, or where that is not known.
std::string AnnotationChecker::whyRefused(const PythonType &Ty) const {
  if (Ty.Refused)
    return "schemas do not support this type; use a type such as Tensor, int, float, bool or str";
  const LibraryTraits &Library = Checks.library();
  if (Ty.NeedsGenerators && !Library.TakesGenerators)
    return "this PyTorch release cannot infer a schema with a Generator; pass 'schema='";
  if (Ty.Word.empty())
    return "";
  if (Ty.NeedsQuotes && Infers && !Library.TakesQuotes)
    return "this PyTorch release does not support quoted annotations; remove the quotes, or "
           "'from __future__ import annotations', which quotes all annotations";
  if (Ty.NeedsBuiltinLists && !Library.TakesBuiltinLists)
    return "this PyTorch release does not support 'list[...]' in annotations; use 'typing.List' or "
           "'typing.Sequence'";
  if (Ty.NeedsModuleNames && !Library.QuotesSeeModule)
    return "this PyTorch release looks up quoted names in a PyTorch module, not in this module";
  if (Ty.NeedsImpliedNames && Library.QuotesSeeModule)
    return "this module does not import a name that the annotation uses";
  return "";
}

/// Edits an annotation that is refused, where the release takes one other way to say it.
void AnnotationChecker::respell(const PythonType &Ty, Finding &Diag) {
  const LibraryTraits &Library = Checks.library();
  bool IsTaken = !Ty.InsteadNeedsBuiltinLists || Library.TakesBuiltinLists;
  bool IsOfNames = !Ty.Refused && !(Ty.NeedsBuiltinLists && !Library.TakesBuiltinLists);
  std::string New = !IsOfNames                ? (IsTaken ? Ty.Instead : "")
                    : Library.QuotesSeeModule ? Ty.Imported
                                              : Ty.Plain;
  if (New.empty())
    return;
  Diag.Hint = New;
  Diag.Fixes = {Checks.edit(Unit, Ty.At, New)};
}

void AnnotationChecker::checkParameter(const PythonParameter &P) {
  const LibraryTraits &Library = Checks.library();
  std::string Name = Checks.nameOf(F);
  bool IsStar = P.Is == PythonParameter::Star || P.Is == PythonParameter::Stars;
  // One '/' makes several positional-only.
  bool IsPositional = P.Is == PythonParameter::Positional && &P == &F.Parameters.front();
  if (IsStar || IsPositional) {
    StringRef What = IsPositional                    ? "a positional-only parameter"
                     : P.Is == PythonParameter::Star ? "a '*' parameter"
                                                     : "a '**' parameter";
    Finding &Diag = report(finding::PythonAnnotation, P.NameAt,
                           formatv("PyTorch cannot infer the schema of {0}, because '{1}' is {2}",
                                   Name, P.Name, What));
    if (IsPositional && F.Slash.isValid())
      Diag.Fixes = {Checks.edit(Unit, F.Slash, "")};
    if (IsStar)
      return;
  }
  if (!P.Type) {
    report(
        finding::PythonAnnotation, P.NameAt,
        formatv(
            "parameter '{0}' of {1} needs a type annotation, from which PyTorch infers the schema",
            P.Name, Name));
    return;
  }
  if (std::string Why = whyRefused(*P.Type); !Why.empty())
    respell(*P.Type, report(finding::PythonAnnotation, P.Type->At,
                            formatv("parameter '{0}' of {1} cannot be annotated as '{2}': {3}",
                                    P.Name, Name, P.Type->Text, Why)));
  else if (P.Default && Infers && !Library.TakesTextDefaults && !isNumberOrNone(*P.Default))
    report(finding::PythonAnnotation, P.DefaultAt,
           formatv("invalid default '{1}' of '{0}'; this PyTorch release supports only None and "
                   "numbers",
                   P.Name, P.DefaultText));
  else if (P.DefaultRefused)
    report(finding::PythonAnnotation, P.DefaultAt,
           formatv("invalid default '{1}' of '{0}'; expected None, a finite number, a string, a "
                   "dtype or a device",
                   P.Name, P.DefaultText));
}

void AnnotationChecker::checkReturn() {
  if (F.Returns) {
    if (std::string Why = whyRefused(*F.Returns); !Why.empty())
      respell(*F.Returns, report(finding::PythonAnnotation, F.Returns->At,
                                 formatv("the return of {0} cannot be annotated as '{1}': {2}",
                                         Checks.nameOf(F), F.Returns->Text, Why)));
    return;
  }
  bool ReturnsNothing =
      all_of(F.Results, [](const PythonReturn &R) { return R.Is == PythonReturn::None; });
  Finding &Diag = report(
      finding::PythonAnnotation, F.NameAt,
      formatv("{0} needs a return annotation{1}", Checks.nameOf(F),
              ReturnsNothing && F.FallsOff ? "; write '-> None' if it returns nothing" : ""));
  std::string Gives = ReturnsNothing && F.FallsOff ? "None" : F.Gives;
  if (!Gives.empty() && F.List.isValid())
    Diag.Fixes = {Checks.edit(Unit, {0, F.List.end() + 1, 0}, " -> " + Gives)};
}

void AnnotationChecker::checkTypes() {
  if (F.isLambda()) {
    report(finding::PythonAnnotation, F.NameAt,
           "PyTorch cannot infer a schema from a lambda; use a function with annotations");
    return;
  }
  for (const PythonParameter &P : F.Parameters)
    checkParameter(P);
  checkReturn();
}

/// What torch.Tag.inplace stands for is not unknown.
void AnnotationChecker::checkInplace() {
  if (Of.Schema.Def && Checks.library().ChecksTags && hasOperatorTag(*Of.Schema.Def, "inplace") &&
      !F.Parameters.empty())
    Checks.report(finding::PythonMutatesArgs, *Of.In.Unit, Of.Use.Mutates.At,
                  formatv("torch.Tag.inplace requires that mutates_args names the first parameter, "
                          "'{0}', and no other",
                          F.Parameters.front().Name),
                  Of);
}

/// A string, or a constant such as None, in the place of names; but "unknown" is one that is taken.
void AnnotationChecker::checkWord() {
  const LibraryTraits &Library = Checks.library();
  const PythonText &Word = *Of.Use.Mutates.Word;
  // triton_op() hands the schema that it infers on to custom_op().
  bool TakesUnknown = !HasSchema && !Of.isTritonOp() && (!Infers || Library.TakesUnknownMutations);
  if (Word.Value == "unknown" && TakesUnknown)
    return checkInplace();
  bool IsString = Word.Exact.isValid() || Word.Whole.Length != Word.Value.size();
  bool IsParameter =
      any_of(F.Parameters, [&](const PythonParameter &P) { return P.Name == Word.Value; });
  Finding &Diag = Checks.report(finding::PythonMutatesArgs, *Of.In.Unit, Of.Use.Mutates.At,
                                formatv("mutates_args must be a list of names{0}, not {2}'{1}'",
                                        TakesUnknown ? " or 'unknown'" : "", Word.Value,
                                        IsString ? "the string " : ""),
                                Of);
  if (IsParameter && Word.Exact.isValid() && Word.Exact.Length + 2 == Of.Use.Mutates.At.Length) {
    Diag.Hint = "(\"" + Word.Value + "\",)";
    Diag.Fixes = {Checks.edit(*Of.In.Unit, Of.Use.Mutates.At, Diag.Hint)};
  }
}

void AnnotationChecker::checkName(const PythonText &Name) {
  auto P = find_if(F.Parameters, [&](const PythonParameter &P) { return P.Name == Name.Value; });
  if (P == F.Parameters.end()) {
    std::vector<StringRef> Names;
    for (const PythonParameter &Other : F.Parameters)
      Names.push_back(Other.Name);
    StringRef Lead = Names.size() == 1 ? "its only parameter is" : "its parameters are";
    std::string Near = didYouMeanOneOf(Name.Value, Names, MostListed, Lead);
    Finding &Diag = Checks.report(
        finding::PythonMutatesArgs, *Of.In.Unit, Name.Whole,
        formatv("{0} has no parameter '{1}'{2}", Checks.nameOf(F), Name.Value, Near), Of);
    std::string Meant = onlyCorrection(Name.Value, Names);
    bool IsFree = !Meant.empty() && none_of(Of.Use.Mutates.Names, [&](const PythonText &Other) {
      return Other.Value == Meant;
    });
    auto Param =
        find_if(F.Parameters, [&](const PythonParameter &Other) { return Other.Name == Meant; });
    bool IsTensor = IsFree && Param->Type && StringRef(Param->Type->Word).starts_with("Tensor");
    if (IsTensor && Name.Exact.isValid()) {
      Diag.Hint = Meant;
      Diag.Fixes = {Checks.edit(*Of.In.Unit, Name.Exact, Meant)};
    }
    return;
  }
  if (P->Type && !P->Type->Word.empty() && !StringRef(P->Type->Word).starts_with("Tensor"))
    Checks.report(finding::PythonMutatesArgs, *Of.In.Unit, Name.Whole,
                  formatv("mutates_args names '{0}', which is annotated as '{1}'; only tensors and "
                          "lists of tensors can be mutated",
                          Name.Value, P->Type->Text),
                  Of);
}

/// The parameters that the function surely writes to, where it writes to no other.
std::optional<std::set<std::string>> AnnotationChecker::written() const {
  const KernelEffects *Own = Checks.effects().of(Unit, F.NameAt, F.Qualified);
  if (!Own || !Own->Complete || Own->TooLong || Own->Params.size() != F.Parameters.size())
    return std::nullopt;
  std::set<std::string> Out;
  for (size_t I = 0; I != F.Parameters.size(); ++I) {
    const ParamEffect &Effect = Own->Params[I];
    const std::optional<PythonType> &Ty = F.Parameters[I].Type;
    bool MayBeTensor = !Ty || Ty->Word.empty() || StringRef(Ty->Word).starts_with("Tensor");
    if (Effect.Written == Confidence::Certain)
      Out.insert(F.Parameters[I].Name);
    else if (MayBeTensor && (Effect.Lost || Effect.Written != Confidence::Unstated))
      return std::nullopt;
  }
  return Out;
}

/// As mutates_args has them, in the order of the parameters.
std::string AnnotationChecker::listed(const std::set<std::string> &Names) const {
  std::string Out;
  for (const PythonParameter &P : F.Parameters)
    if (Names.count(P.Name))
      Out += (Out.empty() ? "\"" : ", \"") + P.Name + "\"";
  return Names.empty() ? "()" : "(" + Out + (Names.size() == 1 ? ",)" : ")");
}

/// custom_op() and triton_op() have no default for it.
void AnnotationChecker::checkGiven() {
  if (Of.Use.What != "custom-op" || !Of.Use.LacksMutates)
    return;
  Finding &Diag =
      Checks.report(finding::PythonMutatesArgs, *Of.In.Unit, Of.Use.At,
                    formatv("'{0}' needs mutates_args; list the parameters that {1} writes to",
                            Of.Use.Api, Checks.nameOf(F)),
                    Of);
  std::optional<std::set<std::string>> Names = written();
  if (Names && Of.Use.Op.Whole.isValid())
    Diag.Fixes = {Checks.edit(*Of.In.Unit, {0, Of.Use.Op.Whole.end(), 0},
                              ", mutates_args=" + listed(*Names))};
}

void AnnotationChecker::checkMutated() {
  const PythonMutates &Mutates = Of.Use.Mutates;
  checkGiven();
  if (!Mutates.IsGiven || Mutates.Unknown)
    return;
  if (Mutates.Word)
    return checkWord();
  if (!HasSchema)
    for (const PythonText &Name : Mutates.Names)
      checkName(Name);
}

/// A schema that is given says what is written, too.
void AnnotationChecker::checkSchema() {
  const PythonMutates &Mutates = Of.Use.Mutates;
  if (!Of.hasSchema() || !Mutates.IsGiven || Mutates.Unknown || Mutates.Word)
    return;
  std::set<std::string> Said, Marked;
  for (const PythonText &Name : Mutates.Names)
    Said.insert(Name.Value);
  for (const Argument &Arg : Of.Schema.Schema->Args.All)
    if (Arg.isWrite())
      Marked.insert(Arg.Name);
  if (Said == Marked)
    return;
  std::vector<std::string> Quoted;
  for (const std::string &Name : Marked)
    Quoted.push_back("'" + Name + "'");
  Finding &Diag =
      Checks.report(finding::PythonMutatesArgs, *Of.In.Unit, Mutates.At,
                    formatv("mutates_args does not match the schema, which marks {0} as written",
                            Quoted.empty() ? std::string("nothing") : join(Quoted, ", ")),
                    Of);
  Checks.noteSchema(Diag, Of, Of.Schema.Schema->NameAt);
  // What the function does is what one of them says.
  if (written() == Marked) {
    Diag.Hint = listed(Marked);
    Diag.Fixes = {Checks.edit(*Of.In.Unit, Mutates.At, Diag.Hint)};
  }
}

} // namespace

//===- triton_op() -------------------------------------------------------------===//

bool opsig::ignoresSchema(const PythonCase &Of, const PythonChecks &Checks) {
  ArrayRef<StringRef> Names = Checks.library().Names;
  return Of.isTritonOp() && Of.Use.HasSchema && is_contained(Names, "triton_op") &&
         !is_contained(Names, "triton_op.schema");
}

/// Calls cannot tell the two apart.
static bool areSame(const FunctionSchema &A, const FunctionSchema &B) {
  auto IsSame = [](const Argument &L, const Argument &R) {
    return L.Name == R.Name && L.Ty == R.Ty && L.Default == R.Default && L.isWrite() == R.isWrite();
  };
  auto AreSame = [&](ArrayRef<Argument> L, ArrayRef<Argument> R) {
    return std::equal(L.begin(), L.end(), R.begin(), R.end(), IsSame);
  };
  return A.Args.NumPositional == B.Args.NumPositional && AreSame(A.Args.All, B.Args.All) &&
         AreSame(A.Returns, B.Returns);
}

bool opsig::hasOtherSchema(const PythonCase &Of, const PythonChecks &Checks) {
  const LibraryUse &Use = Of.Use;
  if (!ignoresSchema(Of, Checks))
    return false;
  if (!Use.Signature.IsKnown || !Of.hasSchema())
    return true;
  SchemaErrors Errors, Remarks;
  std::optional<FunctionSchema> Inferred =
      parseScriptSchema("f" + Use.Signature.Value, grammarOf(Checks.dialect()),
                        Of.In.Unit->Names.Strings, Errors, Remarks);
  return !Inferred || !areSame(*Inferred, *Of.Schema.Schema);
}

static void checkTritonOp(const PythonCase &Of, PythonChecks &Checks) {
  const LibraryUse &Use = Of.Use;
  if (!Of.isTritonOp() || !Use.Signature.IsKnown || !hasOtherSchema(Of, Checks))
    return;
  const Dialect *First = firstWithApi({"triton_op.schema", {}});
  Checks.report(
      finding::PythonRegistration, *Of.In.Unit, Use.Schema.IsKnown ? Use.Schema.Whole : Use.At,
      formatv("'triton_op' ignores 'schema=' before PyTorch {0}; the schema inferred from "
              "the annotations is '{1}'",
              First->Name, Use.Signature.Value),
      Of);
}

void opsig::checkPythonAnnotations(const PythonCase &Of, PythonChecks &Checks) {
  const LibraryUse &Use = Of.Use;
  checkTritonOp(Of, Checks);
  if (Use.What == "custom-op" && Of.hasSchema() && !Use.Tagged)
    for (const Argument &Arg : Of.Schema.Schema->Args.All)
      if (Of.Schema.Schema->Args.isKeywordOnly(Arg) && Arg.Ty.isTensorLike())
        Checks.report(
            finding::PythonRegistration, *Of.In.Unit, Use.At,
            formatv("'{0}' is a keyword-only tensor, which custom_op() does not support", Arg.Name),
            Of);
  // What is in another file may be bound to other names there.
  if (!Of.Function || !Of.Function.Function->Alters.empty() || Of.Function.In != &Of.In)
    return;
  AnnotationChecker Checker(Of, Checks);
  Checker.checkMutated();
  if (Use.HasSchema && !ignoresSchema(Of, Checks))
    Checker.checkSchema();
  else
    Checker.checkTypes();
}
