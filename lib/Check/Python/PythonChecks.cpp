//===- PythonChecks.cpp - which checks of Python code there are ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Python/PythonInternal.h"
#include "opsig/Dialect/LibraryTraits.h"
#include "opsig/Dialect/PythonTraits.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace opsig;
using namespace llvm;

PythonChecks::PythonChecks(const PythonContext &Context, UnitFiles &Files, Comparison &Done,
                           Findings &Diags)
    : Context(Context), Files(Files), Done(Done), Diags(Diags),
      Unnamed(Context.Registered, Context.D) {
  for (const EntryRef &E : Context.Registered.entries())
    if (E.Unit->Python)
      ByPlace[{E.Unit, E.Entry->At.Offset}].push_back(&E);
}

void PythonChecks::readUnits() {
  for (const UnitFacts &Unit : Context.Units)
    if (Unit.Python)
      All.push_back({&Unit, *Unit.Python});
  std::vector<StringRef> Names;
  for (const PythonUnit &In : All) {
    Names.push_back(In.Unit->MainFile);
    Unnamed.add(In);
  }
  Modules = PythonModules(Names);
}

void PythonChecks::checkApis(const PythonUnit &In) {
  std::set<StringRef> Said;
  for (const PythonApi &Api : In.Facts.Apis) {
    const Dialect *First = firstWithApi(Api);
    if (Api.Guarded || !First || hasApi(dialect(), Api) || !Said.insert(Api.Name).second)
      continue;
    Diags.report(finding::PythonApi, place(*In.Unit, Api.At),
                 "PyTorch {0} has no '{1}'; it was added in PyTorch {2}", dialect().Name,
                 nameOfApi(Api), First->Name);
  }
}

bool PythonChecks::isRenamed(StringRef Key) const {
  return any_of(All, [&](const PythonUnit &In) {
    return any_of(In.Facts.Backends, [&](const std::string &Name) {
      return !Name.empty() && Key.ends_with(StringRef(Name).upper());
    });
  });
}

std::string PythonChecks::nameOf(const PythonCallable &F) {
  return F.isLambda() ? "the lambda" : "'" + F.Qualified + "'";
}

Finding &PythonChecks::report(FindingId Id, const UnitFacts &Unit, Span At, std::string Message,
                              const PythonCase &Of) {
  Finding &Diag = Diags.add(Id, place(Unit, At), std::move(Message));
  if (!Of.Op.empty())
    Diag.op(Of.Op);
  Place Use = place(*Of.In.Unit, Of.Use.At);
  if (Use.isValid() && !(Use.File == Diag.At.File && Use.Line == Diag.At.Line) &&
      (Of.Use.What != "custom-op" || Unit.MainFile != Of.In.Unit->MainFile))
    Diag.note(Use, "registered here");
  return Diag;
}

void PythonChecks::noteSchema(Finding &Diag, const PythonCase &Of, TextRange Part) {
  auto NoteAt = [&](Place At, const std::string &Text) {
    if (At.isValid() && !(At.File == Diag.At.File && At.Line == Diag.At.Line))
      Diag.note(At, "schema of " + Of.opName() + " is '" + Text + "'");
  };
  if (Of.Schema.Def) {
    const LiteralText &Text = Of.Schema.Def->Entry->Text;
    NoteAt(place(*Of.Schema.Def->Unit, Text.at(Part.Offset, Part.Length)), Text.Value);
  } else if (Of.Unnamed && Of.Unnamed->Use) {
    const PythonText &Text = Of.Unnamed->Use->Signature;
    NoteAt(place(*Of.Unnamed->In->Unit, Text.Whole), Text.Value);
  } else if (Of.Schema.Function) {
    Diag.note(Of.Schema.Function->SchemaText.At, Of.Schema.Function->SchemaText.Text.str());
  }
}

//===- functions of other files ------------------------------------------------===//

/// Modules may hand on what they import themselves.
PythonFound PythonChecks::findImported(const PythonUnit &In, StringRef Import,
                                       unsigned Depth) const {
  constexpr unsigned MostModules = 8;
  std::optional<PythonImport> Found = Modules.find(In.Unit->MainFile, Import);
  if (!Found || Depth == MostModules)
    return {};
  const PythonUnit &Other = All[Found->File];
  auto Offer =
      find_if(Other.Facts.Offers, [&](const PythonOffer &O) { return O.Name == Found->Name; });
  if (Offer == Other.Facts.Offers.end())
    return {};
  const PythonReference &R = Offer->Of;
  if (!R.Import.empty())
    return findImported(Other, R.Import, Depth + 1);
  const PythonCallable *F = Other.Facts.find(R);
  return F && !R.Skip && R.Keywords.empty() ? PythonFound{&Other, F} : PythonFound();
}

/// "launch" is for kernels of Triton, which Python does not call by themselves.
std::optional<ImportedFunction> PythonChecks::importedFunction(const UnitFacts &From,
                                                               StringRef Symbol) const {
  auto In = find_if(All, [&](const PythonUnit &Unit) { return Unit.Unit == &From; });
  auto [How, Import] = Symbol.split(' ');
  PythonFound Found = In == All.end() ? PythonFound() : findImported(*In, Import);
  if (!Found)
    return std::nullopt;
  const PythonCallable &F = *Found.Function;
  bool IsFit = How == "launch" ? StringRef(F.Alters).ends_with("jit") : F.isPlain();
  if (!IsFit || F.isLambda())
    return std::nullopt;
  ImportedFunction Out{Found.In->Unit, F.NameAt, F.Qualified, {}};
  for (const PythonParameter &P : F.Parameters) {
    if (P.Is == PythonParameter::Star || P.Is == PythonParameter::Stars)
      return std::nullopt;
    Out.Params.push_back(P.Name);
  }
  return Out;
}

PythonFound PythonChecks::find(const PythonUnit &In, const PythonReference &R) const {
  if (const PythonCallable *F = In.Facts.find(R))
    return {&In, F};
  return R.Import.empty() ? PythonFound() : findImported(In, R.Import);
}

//===- schemas -----------------------------------------------------------------===//

KernelSchema PythonChecks::schemaOf(const PythonUnit &In, const LibraryUse &Use,
                                    std::string &Op) const {
  auto At = ByPlace.find({In.Unit, Use.At.Offset});
  if (At == ByPlace.end())
    return {};
  StringRef Name = StringRef(Use.Op.Value).split('(').first;
  for (const EntryRef *E : At->second) {
    if (E->Op.empty() || (Use.Op.IsKnown && E->Op != Name))
      continue;
    Op = E->Op;
    return Context.SchemaFor(*E, *Context.Registered.find(Op));
  }
  return {};
}

std::string PythonChecks::operatorMeantBy(StringRef Name) const {
  auto [Namespace, Base] = Name.contains(':') ? Name.split(':') : std::pair(StringRef(), Name);
  std::string Out;
  for (const RegisteredOp &Op : Context.Registered.operators()) {
    auto [Own, Rest] = StringRef(Op.Name).split("::");
    if (Op.Defs.empty() || Rest != Base || (!Namespace.empty() && Own != Namespace))
      continue;
    if (!Out.empty())
      return "";
    Out = Op.Name;
  }
  return Out;
}

const FunctionSchema *PythonChecks::schemaOfCallee(const PythonUnit &In, StringRef Callee) const {
  std::string Op;
  if (Callee.consume_front("torch.ops.")) {
    auto [Namespace, Name] = Callee.split('.');
    bool IsDefault = Name.consume_back(".default");
    Op = (Namespace + "::" + Name).str();
    // The values choose the overload.
    bool IsAny = !IsDefault && !Name.contains('.');
    std::string Overload = Op + ".";
    if (IsAny && any_of(Context.Registered.operators(), [&](const RegisteredOp &Other) {
          return StringRef(Other.Name).starts_with(Overload);
        }))
      return nullptr;
  } else {
    for (const LibraryUse &Use : In.Facts.Uses)
      if (Use.What == "custom-op" && Use.Op.IsKnown)
        if (const PythonCallable *F = In.Facts.find(Use.Function); F && F->Qualified == Callee)
          Op = Use.Op.Value;
  }
  const RegisteredOp *Known = Context.Registered.find(Op);
  if (!Known || Known->Defs.size() != 1)
    return nullptr;
  const EntryRef *Def = Known->Defs.front();
  return Def->Schema && !Def->Schema->NameOnly ? &*Def->Schema : nullptr;
}

void PythonChecks::findSchema(PythonCase &Of) const {
  Of.Schema = schemaOf(Of.In, Of.Use, Of.Op);
  if (!Of.Op.empty() || Of.Use.Op.IsKnown)
    return;
  Of.Unnamed = Unnamed.find(Of.In, Of.Use);
  if (Of.Unnamed)
    Of.Schema = {Of.Unnamed->Schema, Of.Unnamed->Def, nullptr};
}

//===- the run -----------------------------------------------------------------===//

/// Registrations whose names are unknown, and whose kernels were compared.
void PythonChecks::dropUnread() {
  erase_if(Done.Unread, [&](const UnreadRegistration &U) {
    return ComparedAt.count({U.At.File, U.At.Line, U.At.Column}) != 0;
  });
}

void PythonChecks::countUse(const PythonCase &Of) {
  const LibraryUse &Use = Of.Use;
  if (!Use.Function.IsGiven || Use.What == "library-define" || Use.What == "define")
    return;
  if (!Of.Function) {
    ++LeftAlone[Use.Function.Why.empty() ? "opsig could not determine which function is registered"
                                         : Use.Function.Why];
    return;
  }
  if (!Of.Function.Function->Alters.empty()) {
    ++LeftAlone["a decorator may change the signature"];
    return;
  }
  if (!Of.hasSchema())
    return;
  if (Of.Unnamed) {
    const Place At = place(*Of.In.Unit, Use.At);
    ComparedAt.insert({At.File, At.Line, At.Column});
  }
  Done.Kernels.insert({Of.key(), Of.Function.Function->isLambda()
                                     ? formatv("{0}:{1}", Of.Function.In->Unit->MainFile,
                                               Of.Function.Function->At.Offset)
                                           .str()
                                     : Of.Function.Function->Qualified});
}

void PythonChecks::checkUse(const PythonUnit &In, const LibraryUse &Use) {
  if (Use.What == "argument")
    return checkPythonArgument({In, Use, {}, {}, {}, ""}, *this);
  PythonCase Of{In, Use, find(In, Use.Function), find(In, Use.Setup), {}, ""};
  findSchema(Of);
  countUse(Of);
  checkSecond(Of);
  if (!library().TakesFullNames && usesFullName(Use))
    report(finding::PythonApi, *In.Unit, Use.At,
           formatv("'{0}' of PyTorch {1} expects a Library, not an operator name", Use.Api,
                   dialect().Name),
           Of);
  checkPythonNames(Of, *this);
  checkPythonKeys(Of, *this);
  checkPythonDevices(Of, CustomOps.count(Of.Op) != 0, *this);
  StringRef What = Use.What;
  bool Defines = What == "custom-op" || What == "registrar";
  if (Defines)
    checkPythonAnnotations(Of, *this);
  if (!Of.hasSchema() || hasOtherSchema(Of, *this))
    return;
  if (What == "autograd")
    return checkPythonAutograd(Of, *this);
  if (What == "vmap")
    return checkPythonVmap(Of, *this);
  // One function may serve several keys.
  if (!Of.Function || !Compared.insert({Of.Function.Function, Of.key() + "/" + What.str()}).second)
    return;
  if (!Defines || Use.HasSchema)
    checkPythonSignature(Of, *this);
  checkPythonApply(Of, *this);
  checkPythonResults(Of, *this);
  checkPythonBody(Of, *this);
  checkPythonShapes(Of, *this);
  if (isPythonFake(Use) && !Of.Schema.Function)
    Fakes.push_back(Of);
}

void PythonChecks::addCppReturns(const PythonCase &Of) {
  const EntryRef *Def = Of.Unnamed ? Of.Unnamed->Def : nullptr;
  const RegisteredOp *Op = Context.Registered.find(Def ? Def->Op : Of.Op);
  for (const EntryRef *E : Op ? ArrayRef(Op->Kernels) : ArrayRef<const EntryRef *>())
    if (!E->Unit->Python && (!Def || extensionFolder(E->Unit->MainFile) == Of.Unnamed->Folder))
      addKernelReturns(*E, *Of.Schema.Schema, Context.Effects, Returned[Of.key()]);
}

void PythonChecks::checkFakes() {
  for (const PythonCase &Of : Fakes) {
    addCppReturns(Of);
    checkPythonFakeAliases(Of, *this);
  }
}

void PythonChecks::run() {
  readUnits();
  if (All.empty())
    return;
  Context.Effects.importBy(
      [this](const UnitFacts &From, StringRef Symbol) { return importedFunction(From, Symbol); });
  Context.Effects.findOperatorsBy(
      [this](StringRef Callee) { return schemaOfCallee(All.front(), Callee); });
  for (const PythonUnit &In : All)
    for (const LibraryUse &Use : In.Facts.Uses)
      if (Use.What == "custom-op")
        CustomOps.insert(Use.Op.Value);
  for (const PythonUnit &In : All) {
    checkApis(In);
    checkPythonLibraries(In, *this);
    checkPythonClasses(In, *this);
    for (const LibraryUse &Use : In.Facts.Uses)
      checkUse(In, Use);
  }
  dropUnread();
  checkFakes();
  Context.Effects.importBy(nullptr);
  Context.Effects.findOperatorsBy(nullptr);
  for (const auto &[Why, Count] : LeftAlone)
    Done.Notes.push_back(formatv("{0} in Python {1} not compared with the schemas: {2}",
                                 counted(Count, "kernel", "kernels"), Count == 1 ? "was" : "were",
                                 Why)
                             .str());
}

void opsig::checkPython(const PythonContext &Context, UnitFiles &Files, Comparison &Done,
                        Findings &Diags) {
  PythonChecks(Context, Files, Done, Diags).run();
}
