//===- PythonSignatures.cpp - Python kernels against their schemas ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dispatcher hands a Python kernel the schema's positional arguments by position and its
// keyword-only ones by name, and leaves out what stands at the end and equals its default. So names
// of positional parameters do not matter, and defaults do.
//
//===----------------------------------------------------------------------===//
#include "Python/PythonInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace opsig;
using namespace llvm;

std::vector<PythonMismatch> opsig::bindPython(const PythonCallable &F, uint32_t Skip,
                                              ArrayRef<std::string> Bound, const PythonCall &Call) {
  std::vector<const PythonParameter *> Normal, Keyword;
  bool Star = false, Stars = false;
  for (const PythonParameter &P : F.Parameters) {
    Star |= P.Is == PythonParameter::Star;
    Stars |= P.Is == PythonParameter::Stars;
    if (P.Is == PythonParameter::Keyword)
      Keyword.push_back(&P);
    if (P.Is == PythonParameter::Positional || P.Is == PythonParameter::Normal)
      Normal.push_back(&P);
  }
  Normal.erase(Normal.begin(), Normal.begin() + std::min<size_t>(Skip, Normal.size()));
  std::vector<PythonMismatch> Out;
  size_t Given = Call.Positional.size();
  if (Given > Normal.size() && !Star)
    Out.push_back({PythonMismatch::TooMany,
                   {Call.Positional.begin() + Normal.size(), Call.Positional.end()}});
  std::set<const PythonParameter *> Filled(Normal.begin(),
                                           Normal.begin() + std::min(Given, Normal.size()));
  for (const std::string &Name : Bound) {
    auto In = find_if(Filled, [&](const PythonParameter *P) {
      return P->Name == Name && P->Is == PythonParameter::Normal;
    });
    if (In != Filled.end())
      Out.push_back({PythonMismatch::Twice, {Name}, *In});
  }
  for (const std::string &Name : Call.Keywords) {
    auto IsNamed = [&](const PythonParameter *P) { return P->Name == Name; };
    auto In = find_if(Normal, IsNamed);
    if (In != Normal.end() && (*In)->Is == PythonParameter::Positional)
      In = Normal.end();
    auto AsKeyword = find_if(Keyword, IsNamed);
    if (In != Normal.end()) {
      if (!Filled.insert(*In).second)
        Out.push_back({PythonMismatch::Twice, {Name}, *In});
    } else if (AsKeyword != Keyword.end()) {
      Filled.insert(*AsKeyword);
    } else if (!Stars) {
      Out.push_back({PythonMismatch::Unknown, {Name}});
    }
  }
  for (ArrayRef<const PythonParameter *> List : {ArrayRef(Normal), ArrayRef(Keyword)})
    for (const PythonParameter *P : List)
      if (!Filled.count(P) && !P->HasDefault && !is_contained(Bound, P->Name))
        Out.push_back({PythonMismatch::Missing, {}, P});
  return Out;
}

namespace {

std::string quoted(ArrayRef<std::string> Names) {
  return join(map_range(Names, [](const std::string &N) { return "'" + N + "'"; }), ", ");
}

class SignatureComparer {
public:
  SignatureComparer(const PythonCase &Of, PythonChecks &Checks, uint32_t More = 0)
      : Of(Of), F(*Of.Function.Function), Unit(*Of.Function.In->Unit), Schema(*Of.Schema.Schema),
        Checks(Checks), Skip(Of.Use.Function.Skip + (Of.Use.KeySet ? 1 : 0) + More) {}

  void run();
  void compareDefaults();

private:
  PythonCall call(bool All) const;
  void reportList(ArrayRef<PythonMismatch> Why);
  void reportDefaults(ArrayRef<PythonMismatch> Why);
  void compareNames();
  std::string defaultOf(const Argument &Arg) const;
  const Argument *argument(StringRef Name) const;
  std::vector<Fix> missingParameters() const;

  const PythonCase &Of;
  const PythonCallable &F;
  const UnitFacts &Unit;
  const FunctionSchema &Schema;
  PythonChecks &Checks;
  uint32_t Skip;
};

PythonCall SignatureComparer::call(bool All) const {
  PythonCall Out;
  size_t Fewest = 0, Index = 0;
  for (const Argument &Arg : Schema.Args.All)
    if (!Schema.Args.isKeywordOnly(Arg)) {
      ++Index;
      if (!Arg.Default)
        Fewest = Index;
    }
  for (const Argument &Arg : Schema.Args.All) {
    if (Schema.Args.isKeywordOnly(Arg)) {
      if (All || !Arg.Default)
        Out.Keywords.push_back(Arg.Name);
    } else if (All || Out.Positional.size() < Fewest) {
      Out.Positional.push_back(Arg.Name);
    }
  }
  return Out;
}

const Argument *SignatureComparer::argument(StringRef Name) const {
  auto Arg = find_if(Schema.Args.All, [&](const Argument &A) { return A.Name == Name; });
  return Arg == Schema.Args.All.end() ? nullptr : &*Arg;
}

/// As Python writes it; "" where that is not known.
std::string SignatureComparer::defaultOf(const Argument &Arg) const {
  if (!Of.isOwn() || !Arg.Default)
    return "";
  StringRef Value = *Arg.Default;
  double Number;
  bool IsWord = Value == "None" || Value == "True" || Value == "False";
  bool IsText = Value.size() > 1 && (Value.front() == '"' || Value.front() == '\'') &&
                Value.back() == Value.front() && !Value.contains('\\');
  return IsWord || IsText || !Value.getAsDouble(Number) ? Value.str() : "";
}

/// The parameters for the arguments that have none, where those that are there have the names of
/// the others, in their order.
std::vector<Fix> SignatureComparer::missingParameters() const {
  if (Skip || !Of.Use.Function.Keywords.empty() || !F.List.isValid() || F.Parameters.empty())
    return {};
  for (const PythonParameter &P : F.Parameters)
    if (P.Is == PythonParameter::Star || P.Is == PythonParameter::Stars ||
        P.Is == PythonParameter::Positional)
      return {};
  std::vector<Fix> Out;
  size_t Next = 0;
  bool HadKeyword = false, HadDefault = false;
  std::string Pending;
  for (const Argument &Arg : Schema.Args.All) {
    bool IsThere = Next < F.Parameters.size() && F.Parameters[Next].Name == Arg.Name;
    if (IsThere) {
      const PythonParameter &P = F.Parameters[Next++];
      if ((P.Is == PythonParameter::Keyword) != Schema.Args.isKeywordOnly(Arg))
        return {};
      HadKeyword |= Schema.Args.isKeywordOnly(Arg);
      HadDefault |= P.HasDefault && !Schema.Args.isKeywordOnly(Arg);
      if (!Pending.empty())
        return {}; // in front of one that is there: the order of defaults may be wrong
      continue;
    }
    std::string Default = defaultOf(Arg);
    if (Arg.Default && Default.empty())
      return {};
    if (!Schema.Args.isKeywordOnly(Arg) && HadDefault && !Arg.Default)
      return {};
    if (Schema.Args.isKeywordOnly(Arg) && !HadKeyword) {
      Pending += ", *";
      HadKeyword = true;
    }
    Pending += ", " + Arg.Name + (Default.empty() ? "" : "=" + Default);
  }
  if (Next != F.Parameters.size() || Pending.empty())
    return {};
  Span At{0, F.Parameters.back().Whole.end(), 0};
  return {Checks.edit(Unit, At, Pending)};
}

void SignatureComparer::reportList(ArrayRef<PythonMismatch> Why) {
  std::vector<std::string> Lacks;
  for (const PythonMismatch &M : Why)
    append_range(Lacks, M.Is == PythonMismatch::TooMany || M.Is == PythonMismatch::Unknown
                            ? M.Arguments
                            : std::vector<std::string>());
  std::string Name = Checks.nameOf(F);
  const PythonParameter *Extra = nullptr;
  auto Twice = find_if(Why, [](const PythonMismatch &M) { return M.Is == PythonMismatch::Twice; });
  for (const PythonMismatch &M : Why)
    if (M.Is == PythonMismatch::Missing && !Extra && (Twice == Why.end() || !Lacks.empty()))
      Extra = M.Parameter;
  std::string Message;
  Span At = F.NameAt;
  TextRange Part = Schema.NameAt;
  if (!Lacks.empty()) {
    const Argument *First = argument(Lacks.front());
    if (First)
      Part = First->NameAt;
    auto Same = find_if(F.Parameters, [&](const PythonParameter &P) {
      return P.Name == Lacks.front() && P.Is == PythonParameter::Keyword;
    });
    if (First && !Schema.Args.isKeywordOnly(*First) && Same != F.Parameters.end()) {
      At = Same->NameAt;
      Message =
          formatv("parameter '{0}' of {1} is keyword-only, but positional in the schema of {2}",
                  Same->Name, Name, Of.opName());
    } else if (Extra) {
      At = Extra->NameAt;
      Message = formatv(
          "{0} has no parameter for {1} of {2}, and its parameter '{3}' matches no argument", Name,
          quoted(Lacks), Of.opName(), Extra->Name);
    } else {
      Message = formatv("{0} has no parameter for {1} of {2}", Name, quoted(Lacks), Of.opName());
      if (First && Schema.Args.isKeywordOnly(*First) && Same == F.Parameters.end())
        Message += "; PyTorch passes '" + First->Name + "' by name";
    }
  } else if (Extra) {
    At = Extra->NameAt;
    Message =
        formatv("parameter '{0}' of {1} receives no value; {2} has {3} argument{4}", Extra->Name,
                Name, Of.opName(), Schema.Args.size(), Schema.Args.size() == 1 ? "" : "s");
  } else {
    Message = formatv("parameter '{0}' of {1} receives two values, one by position and one by name",
                      Twice->Arguments.front(), Name);
    At = Twice->Parameter->NameAt;
  }
  Finding &Diag = Checks.report(finding::RegisteredKernelSchema, Unit, At, std::move(Message), Of);
  Checks.noteSchema(Diag, Of, Part);
  if (!Lacks.empty() && !Extra)
    Diag.Fixes = missingParameters();
}

void SignatureComparer::reportDefaults(ArrayRef<PythonMismatch> Why) {
  std::vector<std::string> Names;
  std::vector<Fix> Fixes;
  const PythonParameter *First = nullptr;
  bool Editable = true;
  // Arguments and parameters that stand for each other.
  std::vector<const PythonParameter *> Normal;
  for (const PythonParameter &P : F.Parameters)
    if (P.Is == PythonParameter::Positional || P.Is == PythonParameter::Normal)
      Normal.push_back(&P);
  Normal.erase(Normal.begin(), Normal.begin() + std::min<size_t>(Skip, Normal.size()));
  for (const PythonMismatch &M : Why) {
    if (M.Is != PythonMismatch::Missing)
      return;
    First = First ? First : M.Parameter;
    Names.push_back(M.Parameter->Name);
    size_t Index = find(Normal, M.Parameter) - Normal.begin();
    const Argument *Arg = Index < Normal.size() && Index < Schema.Args.size() &&
                                  !Schema.Args.isKeywordOnly(Schema.Args.All[Index])
                              ? &Schema.Args.All[Index]
                              : argument(M.Parameter->Name);
    std::string Value = Arg ? defaultOf(*Arg) : "";
    Editable &= !Value.empty();
    Span At{0, M.Parameter->Whole.end(), 0};
    Fixes.push_back(Checks.edit(Unit, At, (M.Parameter->Type ? " = " : "=") + Value));
  }
  Finding &Diag = Checks.report(finding::PythonDefault, Unit, First->NameAt,
                                formatv("parameter{0} {1} of {2} need{3} the schema's default{0}, "
                                        "because PyTorch omits arguments that equal their defaults",
                                        Names.size() == 1 ? "" : "s", quoted(Names),
                                        Checks.nameOf(F), Names.size() == 1 ? "s" : ""),
                                Of);
  Checks.noteSchema(Diag, Of, Schema.NameAt);
  if (Editable)
    Diag.Fixes = std::move(Fixes);
}

/// Whether two values, as schemas write them, are surely not the same.
bool differ(StringRef L, StringRef R) {
  auto Word = [](StringRef V) { return V == "None" || V == "True" || V == "False"; };
  auto Quoted = [](StringRef V) { return V.size() > 1 && (V[0] == '"' || V[0] == '\''); };
  // True is 1 to Python.
  auto IsNumber = [](StringRef V, double &Out) {
    Out = V == "True" ? 1 : 0;
    return V == "True" || V == "False" || !V.getAsDouble(Out);
  };
  double A, B;
  bool IsA = IsNumber(L, A), IsB = IsNumber(R, B);
  if (IsA && IsB)
    return A != B;
  if (Quoted(L) && Quoted(R))
    return L.drop_front().drop_back() != R.drop_front().drop_back() && !L.contains('\\') &&
           !R.contains('\\');
  auto Known = [&](StringRef V, bool IsNumber) { return Word(V) || IsNumber || Quoted(V); };
  return Known(L, IsA) && Known(R, IsB) && L != R;
}

/// Without the argument the kernel gets its own default, and not the schema's.
void SignatureComparer::compareDefaults() {
  std::vector<const PythonParameter *> Normal;
  for (const PythonParameter &P : F.Parameters)
    if (P.Is == PythonParameter::Positional || P.Is == PythonParameter::Normal)
      Normal.push_back(&P);
  Normal.erase(Normal.begin(), Normal.begin() + std::min<size_t>(Skip, Normal.size()));
  size_t Index = 0;
  for (const Argument &Arg : Schema.Args.All) {
    const PythonParameter *P = nullptr;
    if (!Schema.Args.isKeywordOnly(Arg)) {
      P = Index < Normal.size() ? Normal[Index] : nullptr;
      ++Index;
    } else {
      auto Named = find_if(F.Parameters, [&](const PythonParameter &P) {
        return P.Name == Arg.Name && P.Is != PythonParameter::Star &&
               P.Is != PythonParameter::Stars;
      });
      P = Named == F.Parameters.end() ? nullptr : &*Named;
    }
    if (!P || !P->Default || is_contained(Of.Use.Function.Keywords, P->Name))
      continue;
    std::string Want = defaultOf(Arg);
    if (Want.empty() || !differ(*P->Default, Want))
      continue;
    Finding &Diag =
        Checks.report(finding::PythonDefault, Unit, P->DefaultAt,
                      formatv("parameter '{0}' of {1} defaults to '{2}'; expected '{3}', because "
                              "PyTorch omits arguments that equal the schema's default",
                              P->Name, Checks.nameOf(F), P->DefaultText, Want),
                      Of);
    Checks.noteSchema(Diag, Of, Arg.DefaultAt);
    // A text is no replacement for an object such as torch.device("cpu").
    if (!P->DefaultIsConstant)
      continue;
    Diag.Hint = Want;
    Diag.Fixes = {Checks.edit(Unit, P->DefaultAt, Want)};
  }
}

/// Arguments are bound by position: names that stand in another order are likely a mistake.
void SignatureComparer::compareNames() {
  std::vector<const PythonParameter *> Normal;
  for (const PythonParameter &P : F.Parameters)
    if (P.Is == PythonParameter::Positional || P.Is == PythonParameter::Normal)
      Normal.push_back(&P);
  Normal.erase(Normal.begin(), Normal.begin() + std::min<size_t>(Skip, Normal.size()));
  size_t Count = std::min(Normal.size(), Schema.Args.size());
  for (size_t I = 0; I < Count; ++I)
    for (size_t J = I + 1; J < Count; ++J) {
      const Argument &A = Schema.Args.All[I], &B = Schema.Args.All[J];
      if (Schema.Args.isKeywordOnly(A) || Schema.Args.isKeywordOnly(B) || A.Name == B.Name ||
          Normal[I]->Name != B.Name || Normal[J]->Name != A.Name)
        continue;
      Finding &Diag = Checks.report(
          finding::RegisteredKernelNames, Unit, Normal[I]->NameAt,
          formatv(
              "parameters '{0}' and '{1}' of {2} are in the opposite order in the schema; "
              "arguments are passed by position, so '{0}' receives '{3}' and '{1}' receives '{4}'",
              Normal[I]->Name, Normal[J]->Name, Checks.nameOf(F), A.Name, B.Name),
          Of);
      Checks.noteSchema(Diag, Of, A.NameAt);
    }
}

void SignatureComparer::run() {
  if (!F.Alters.empty())
    return;
  ArrayRef<std::string> Bound = Of.Use.Function.Keywords;
  std::vector<PythonMismatch> Full = bindPython(F, Skip, Bound, call(/*All=*/true));
  // A bound keyword that is passed again is replaced, which is hardly a mistake.
  if (!Full.empty())
    return reportList(Full);
  if (std::vector<PythonMismatch> Least = bindPython(F, Skip, Bound, call(/*All=*/false));
      !Least.empty())
    reportDefaults(Least);
  compareDefaults();
  compareNames();
}

/// "2 values", "nothing".
std::string countedValues(size_t Count) {
  return Count == 0 ? "nothing" : Count == 1 ? "1 value" : formatv("{0} values", Count).str();
}

} // namespace

void opsig::checkPythonSignature(const PythonCase &Of, PythonChecks &Checks) {
  if (Of.Function)
    SignatureComparer(Of, Checks).run();
}

void opsig::comparePythonDefaults(const PythonCase &Of, uint32_t Skip, PythonChecks &Checks) {
  SignatureComparer(Of, Checks, Skip).compareDefaults();
}

/// Where an operator of the project gives what is returned.
static std::string whyCallRefused(const FunctionSchema *Callee, const FunctionSchema &Schema) {
  if (!Callee || Callee->VarReturns)
    return "";
  size_t Given = Callee->Returns.size(), Want = Schema.Returns.size();
  bool IsTensor = Given == 1 && Callee->Returns.front().Ty.is("Tensor");
  if (Given == Want || Given == 0 || (Given == 1 && !IsTensor))
    return "";
  if (Given > 1 && Want == 1 && !Schema.Returns.front().Ty.is("Tensor"))
    return "";
  return Given == 1 ? "a tensor" : countedValues(Given);
}

/// Where several values are wanted.
static std::string whyNotSeveral(const PythonReturn &R, size_t Want) {
  switch (R.Is) {
  case PythonReturn::None:
    return "None";
  case PythonReturn::Value:
    return "1 value";
  case PythonReturn::Tensor: // which is no sequence, whatever its size
    return "a tensor";
  case PythonReturn::Tuple:
  case PythonReturn::List:
    return R.Count == Want ? "" : countedValues(R.Count);
  default:
    return "";
  }
}

/// "" where PyTorch takes the result, or where that is not known.
static std::string whyRefused(const PythonReturn &R, const FunctionSchema &Schema) {
  size_t Want = Schema.Returns.size();
  bool IsSequence = R.Is == PythonReturn::Tuple || R.Is == PythonReturn::List;
  if (R.Is == PythonReturn::Unknown || R.Is == PythonReturn::Call)
    return "";
  if (Want == 0)
    return R.Is == PythonReturn::None     ? ""
           : R.Is == PythonReturn::Tuple  ? formatv("a tuple of {0}", countedValues(R.Count)).str()
           : R.Is == PythonReturn::Tensor ? "a tensor"
                                          : "a value";
  if (Want > 1)
    return whyNotSeveral(R, Want);
  const Type &Ty = Schema.Returns.front().Ty;
  bool IsNumber = Ty.is("int") || Ty.is("SymInt") || Ty.is("float") || Ty.is("bool");
  if (R.Is == PythonReturn::None)
    return IsNumber ? "None" : "";
  if (R.Is == PythonReturn::Sequence && (Ty.is("Tensor") || IsNumber))
    return "a tuple or list";
  if (R.Is == PythonReturn::Tensor && Ty.isList())
    return "a tensor";
  if (IsSequence && (Ty.is("Tensor") || IsNumber))
    return formatv("a {0} of {1}", R.Is == PythonReturn::Tuple ? "tuple" : "list",
                   countedValues(R.Count))
        .str();
  return "";
}

/// The elements that stand at the end and go, where those are None; the one element of a tuple
/// where a tensor is wanted.
static std::vector<Fix> mendedResult(const PythonReturn &R, const FunctionSchema &Schema,
                                     const UnitFacts &Unit, PythonChecks &Checks) {
  size_t Want = Schema.Returns.size();
  if (R.Is != PythonReturn::Tuple || R.Elements.empty() || !R.ValueAt.isValid())
    return {};
  Span First = R.Elements.front().At, Whole = R.ValueAt;
  if (Want == 1 && R.Count == 1)
    return {Checks.edit(Unit, {0, Whole.Offset, First.Offset - Whole.Offset}, ""),
            Checks.edit(Unit, {0, First.end(), Whole.end() - First.end()}, "")};
  if (Want < 2 || R.Count <= Want || R.Defined > Want)
    return {};
  uint32_t From = R.Elements[Want].CutAt.Offset;
  return {Checks.edit(Unit, {0, From, R.Ends.Offset - From}, "")};
}

bool opsig::areTensors(const PythonCase &Of, uint32_t More, ArrayRef<std::string> Names) {
  const PythonCallable &F = *Of.Function.Function;
  const FunctionSchema &Schema = *Of.Schema.Schema;
  uint32_t Skip = Of.Use.Function.Skip + (Of.Use.KeySet ? 1 : 0) + More;
  return all_of(Names, [&](const std::string &Name) {
    uint32_t Index = 0;
    for (const PythonParameter &P : F.Parameters) {
      if (P.Name == Name)
        break;
      Index += P.Is == PythonParameter::Positional || P.Is == PythonParameter::Normal;
    }
    for (const Argument &Arg : Schema.Args.All) {
      bool IsIt = Schema.Args.isKeywordOnly(Arg)
                      ? Arg.Name == Name
                      : Index >= Skip && &Arg == &Schema.Args.All[0] + (Index - Skip);
      if (IsIt) // of None nothing comes that PyTorch would take
        return Arg.Ty.is("Tensor") || (Arg.Ty.isOptional() && Arg.Ty.elem().is(BaseTy::Tensor));
    }
    return false;
  });
}

void opsig::checkPythonResults(const PythonCase &Of, PythonChecks &Checks) {
  if (!Of.Function || !Of.Function.Function->isPlain())
    return;
  const PythonCallable &F = *Of.Function.Function;
  const FunctionSchema &Schema = *Of.Schema.Schema;
  bool GivesList = Schema.Returns.size() == 1 && Schema.Returns.front().Ty.isList();
  std::string Wanted = GivesList ? "a list" : countedValues(Schema.Returns.size());
  auto Report = [&](Span At, StringRef What) -> Finding & {
    Finding &Diag = Checks.report(finding::RegisteredKernelSchema, *Of.Function.In->Unit, At,
                                  formatv("{0} returns {1}; the schema of {2} returns {3}",
                                          Checks.nameOf(F), What, Of.opName(), Wanted),
                                  Of);
    TextRange Part = Schema.Returns.empty() ? Schema.NameAt : Schema.Returns.front().TypeAt;
    Checks.noteSchema(Diag, Of, Part);
    return Diag;
  };
  for (const PythonReturn &R : F.Results) {
    std::string Why = R.Is == PythonReturn::Call
                          ? whyCallRefused(Checks.schemaOfCallee(*Of.Function.In, R.Callee), Schema)
                      : areTensors(Of, 0, R.Tensors) ? whyRefused(R, Schema)
                                                     : "";
    if (!Why.empty())
      Report(R.At, Why).Fixes = mendedResult(R, Schema, *Of.Function.In->Unit, Checks);
  }
  if (F.Results.empty() && F.FallsOff && Schema.Returns.size() > 1)
    Report(F.NameAt, "None");
}
