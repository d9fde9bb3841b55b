//===- CheckRun.cpp - One run of opsig check, step by step -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/CheckRun.h"
#include "check/Includers.h"
#include "check/OwnHeaders.h"
#include "check/Progress.h"
#include "check/PythonFiles.h"
#include "check/TorchIncludeDirs.h"
#include "check/UncheckedBackends.h"
#include "check/UnseenBlocks.h"
#include "check/WrongFlags.h"
#include "opsig/Check/PythonRelease.h"
#include "opsig/Check/Registrations.h"
#include "opsig/Report/Suppress.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace opsig;

llvm::Error CheckRun::setUp(const SchemaOptions &Schema, const CheckOptions &Options) {
  llvm::Expected<CheckSetup> Settled =
      setUpCheck(Schema, Options, Request.Arguments, Request.Tell ? llvm::errs() : llvm::nulls());
  if (!Settled)
    return Settled.takeError();
  Setup.emplace(std::move(*Settled));
  if (Request.Arguments.IsImplied)
    resolveImplied();
  if (Request.Baseline)
    Setup->Settings.Filter.Known.reset();
  Expected = Setup->Settings.Filter;
  llvm::Expected<std::unique_ptr<LoadedSchemas>> Loaded = [&] {
    StatusLine Status("reading PyTorch's operators");
    return loadSchemas(Setup->Source);
  }();
  if (!Loaded)
    return Loaded.takeError();
  Schemas = std::move(*Loaded);
  Notes = runNotes(Setup->Source, *Schemas);
  if (!Request.Tell)
    Schemas->Warnings.clear();
  reportOfPyTorch(*Schemas, Schema.Verbose);
  takeFoundBackend();
  Close.emplace(llvm::count_if(Schemas->Ops->Functions,
                               [](const NativeFunction &F) { return !F.Generated; }));
  Close->usesTorch(Setup->Source);
  if (!Schemas->usable())
    Close->entriesAreLeftOut(*Schemas);
  return llvm::Error::success();
}

void CheckRun::takeFoundBackend() {
  if (!Schemas->Backends.empty() || Request.Facts || !Schemas->comparable())
    return;
  BackendFiles Found = backendFiles(Setup->Inputs.Groups, *Setup->Project);
  FoundBackends = std::move(Found.Names);
  // Facts were made without it, and without sources it is a YAML file that nobody asked about.
  if (!Request.FactsFrom.empty() || Setup->Inputs.Files.empty())
    return;
  // Of several files nobody knows which are for this build.
  if (FoundBackends.size() != 1 || !Found.AreComplete ||
      !takeBackend(FoundBackends.front(), Setup->Source, *Schemas))
    return;
  Setup->Source.Backends = FoundBackends;
  note("kernels are also compared with '" + FoundBackends.front() +
       "', the only backend YAML file of " +
       (Found.Part.empty() ? "this project" : "'" + pathBelow(Found.Part, ".") + "'"));
}

void CheckRun::resolveImplied() {
  const InputFiles &Found = Setup->Inputs;
  bool HasYaml = !Setup->Source.Backends.empty() || !Setup->Source.Project.Schemas.empty();
  if (!Found.Files.empty() || Found.Python.size() || !HasYaml)
    return;
  Request.Arguments.Inputs.clear();
  Setup->Inputs.Problems.clear();
}

void CheckRun::refuse(std::string Why) {
  complain(llvm::createStringError(Why));
  Unusable.push_back(std::move(Why));
}

SiftedFindings CheckRun::schemaFindings() {
  Close->schemasAreWrong(/*There=*/Request.anySource());
  return sift(std::move(Schemas->Diags), Setup->Settings.Filter, Schemas->Files);
}

llvm::Expected<bool> CheckRun::limitTo(llvm::StringRef Revision) {
  llvm::Expected<ChangedLines> Lines = ChangedLines::since(
      Revision, startFolder(Request.Arguments.Inputs), Setup->Project->checkout());
  if (!Lines)
    return Lines.takeError();
  Changed = std::move(*Lines);
  // What facts are of is not known yet.
  if (!Request.FactsFrom.empty() || mayConcern(*Changed, *Setup))
    return true;
  Close->read({}, 0, {});
  Close->limitedToNone();
  return false;
}

//===- Reading ---------------------------------------------------------------===//

void CheckRun::note(std::string Text) {
  if (Text.empty())
    return;
  if (Request.Tell)
    reportNote(Text);
  Notes.push_back({std::move(Text), false});
}

ParseOptions CheckRun::readingOptions() const {
  ParseOptions Options = Checker->parseOptions(Setup->Project);
  Options.Buffers = Request.Buffers;
  return Options;
}

llvm::Error CheckRun::read(const ReadingOptions &Reading) {
  Files.emplace(&Schemas->Files);
  for (const VirtualFile &Buffer : Request.Buffers)
    for (const std::string &File : Setup->Inputs.Files)
      if (absolutePath(File) == Buffer.Name)
        Files->add(File, Buffer.Text);
  Reading.bound(Setup->Commands);
  if (llvm::Error Err = StableCode.readBinaries(Request.Binaries, Request.Target, *Setup))
    return Err;
  for (std::string &Text : StableCode.notes())
    note(std::move(Text));
  if (!Request.anySource())
    return llvm::Error::success();
  Bodies Of = looksIntoBodies(Expected.Checks) ? Bodies::Read : Bodies::Skip;
  // Facts are compared by a run that may have C++ files, too.
  bool OnlyPython = Setup->Inputs.Files.empty() && Request.FactsFrom.empty() && !Request.Facts;
  Checker.emplace(*Schemas->Ops, Schemas->Backends, Of,
                  OnlyPython && Schemas->Backends.empty() ? KernelFiles::None : KernelFiles::Cpp);
  if (looksForUnstable(Expected.Checks))
    Checker->readUses();
  Units = readAll(readingOptions(), Reading);
  Checker->setLayout(layout());
  AllWhole = llvm::all_of(Units, [](const UnitFacts &Unit) { return Unit.complete(); });
  Close->read(Units, Lost, WhyLost);
  reportLeftOut();
  reportOfUnits();
  if (Checker->parseOptions().Uses)
    findStableNames();
  if (!Request.Facts)
    StableCode.readSources(*Setup, readingOptions());
  return llvm::Error::success();
}

void CheckRun::reportLeftOut() {
  if (Request.Verbose)
    for (const LeftOut &Left : Setup->Inputs.Left)
      reportNote("left out: '" + tidied(Left.Path) + "' (" + Left.Why + ")");
}

void CheckRun::findUnseen() {
  UnseenBlocks Unseen(Units, Setup->Inputs.Python.Files, *Files);
  Unseen.lookAtHeaders(Setup->Inputs.Groups, Units, *Files);
  for (std::string &Why : Unseen.unreadable(Setup->Inputs.Groups))
    refuse(std::move(Why));
  HiddenKernels = Unseen.withoutKernels(Setup->Inputs.Groups);
  Close->unseen(Unseen.all());
}

void CheckRun::findNothing(const SiftedFindings &All) {
  if (!complete() || !All.Reported.empty() || !All.Suppressed.empty())
    return;
  // A backend's kernels need no registration.
  if (Schemas->Backends.empty() || !Close->comparedKernels())
    for (std::string &Why : HiddenKernels)
      refuse(std::move(Why));
  if (!complete())
    return;
  if (Close->sawNothing()) {
    std::vector<std::string> Whys;
    for (const UnreadRegistration &U : Close->unread())
      Whys.push_back(U.Why);
    return refuse("nothing was compared, because " + counted(Whys.size(), "registration") +
                  " could not be read: " + reasonsText(Whys));
  }
  // What else there may be to check.
  if (!Close->hadNothing() || StableNames || !Request.Binaries.empty() ||
      !Schemas->Backends.empty())
    return;
  for (const InputGroup &Group : Setup->Inputs.Groups)
    if (!Group.IsFile)
      return refuse("nothing to check: no file in '" + Group.Name + "' registers an operator" +
                    (Setup->Inputs.Left.empty() ? "" : "; " + leftOutText(Setup->Inputs.Left)));
}

void CheckRun::findStableNames() {
  llvm::Expected<KnownStableNames> Found = stableNamesOf(Units, Schemas->Ops.get());
  if (Found)
    StableNames = std::move(*Found);
  else
    note("opsig cannot report uses of unstable API: " + llvm::toString(Found.takeError()));
}

/// Where the PyTorch that was found cannot run the Python files, the rules of a newer one count for
/// them.
const Dialect *CheckRun::choosePythonRelease() {
  std::optional<NewerRelease> Newer = newerPythonRelease(Units, *Schemas->Ops->D);
  if (!Newer)
    return nullptr;
  note(std::move(Newer->Note));
  ScriptRules Rules = scriptRulesOf(*Newer->Release);
  for (UnitFacts &Unit : Units)
    if (Unit.Python)
      Unit.Names.Strings = Rules;
  return Newer->Release;
}

/// Of all files whose units there are, wherever those were read.
ProjectLayout CheckRun::layout() {
  std::vector<std::string> Read = Setup->Inputs.Files;
  if (!Request.FactsFrom.empty())
    for (const UnitFacts &Unit : Units)
      Read.push_back(Unit.MainFile);
  Sources.emplace(*Setup, Request.Arguments, std::move(Read));
  ProjectLayout Layout = Sources->layout(Units);
  // A user says it by an option, or by an environment.
  llvm::StringRef From = Setup->Source.RootFrom;
  bool IsGuessed = !Setup->Source.Version.File.empty() &&
                   (From.empty() || From == "the system" || From.starts_with("/usr/") ||
                    From.starts_with("the headers in '/usr/"));
  // Facts are compared by another run, which chooses for itself.
  if (IsGuessed && !Request.Facts)
    Layout.PythonRelease = choosePythonRelease();
  // Facts may be of the others.
  if (!Request.FactsFrom.empty() || Setup->Settings.ScopeStated) {
    Layout.IsPart = false;
    Layout.IsMentionedOutside = {};
  }
  if (Setup->Settings.ScopeStated || !Expected.Checks.contains(checkName(finding::MissingMeta)))
    Layout.MayHaveFake = {};
  return Layout;
}

std::vector<UnitFacts> CheckRun::readSources(const ParseOptions &Options,
                                             const ReadingOptions &Reading) {
  for (const std::string &Problem : Setup->Inputs.Problems)
    complain(llvm::createStringError(Problem));
  ReadNotes Notes;
  if (Request.Fix)
    Notes.Text = Known->note();
  if (Request.NotesInputs)
    Notes.Files = [this](std::vector<std::string> Of) { Inputs->add(std::move(Of)); };
  for (const std::string &Name : Setup->Inputs.Names)
    Known->Texts.addName(Name);
  // Facts are joined elsewhere, where nothing can be read again.
  // Uses stand in headers of the project, too, of which a prefix may keep nothing.
  Reader.emplace(
      Reading.settings(Setup->Settings.Compile.Threads, !Request.Facts && !Options.Uses));
  ReadUnits Read =
      readKernels(Setup->Inputs.Files, Setup->Commands, Options, *Reader, *Files, Notes);
  if (Request.Verbose) {
    reportDropped(Read.Dropped);
    Reading.tell(*Reader, Setup->Inputs.Files.size());
  }
  Lost += Setup->Inputs.Problems.size() + Read.Lost;
  WhyLost = std::move(Read.WhyLost);
  return std::move(Read.Units);
}

std::set<std::string> CheckRun::inputs() const {
  std::set<std::string> All = Inputs->files();
  const SchemaSource &Source = Setup->Source;
  for (const std::string &File : {Source.NativeFunctions, Source.Tags, Source.Project.File})
    if (!File.empty())
      All.insert(absolutePath(File));
  for (const std::string &File : Source.Backends)
    All.insert(absolutePath(File));
  for (const std::string &File : Setup->Inputs.Python)
    All.insert(absolutePath(File));
  return All;
}

void CheckRun::addPython(std::vector<UnitFacts> &To, const CachePlace &Cache) {
  // Strings are read by the rules of the headers that the project is built with.
  auto Known = llvm::find_if(To, [](const UnitFacts &Unit) { return Unit.complete(); });
  ScriptRules Rules = Known == To.end() ? scriptRulesOf(*Schemas->Ops->D) : Known->Names.Strings;
  PythonUnits Python = readPython(Setup->Inputs.Python, Rules, Cache);
  for (const std::string &Problem : Python.Problems)
    complain(llvm::createStringError(Problem));
  Lost += Python.Problems.size();
  llvm::move(Python.Units, std::back_inserter(To));
}

/// From sources and from facts, as if all had been read here: in order, each once.
std::vector<UnitFacts> CheckRun::readAll(const ParseOptions &Options,
                                         const ReadingOptions &Reading) {
  std::vector<UnitFacts> All = readSources(Options, Reading);
  ReadingSettings Settings = Reading.settings(0, false);
  addPython(All, {Settings.Cache, Settings.CacheIsReadOnly, Settings.Opsig});
  ReadUnits Joined = joinFacts(Request.FactsFrom, factsStamp(OPSIG_VERSION, Options));
  Lost += Joined.Lost;
  llvm::move(Joined.Units, std::back_inserter(All));
  llvm::stable_sort(All,
                    [](const UnitFacts &L, const UnitFacts &R) { return L.MainFile < R.MainFile; });
  auto Repeats = llvm::unique(
      All, [](const UnitFacts &L, const UnitFacts &R) { return L.MainFile == R.MainFile; });
  All.erase(Repeats, All.end());
  return All;
}

void CheckRun::reportOfUnits() {
  if (Request.Facts) {
    reportIncomplete(Units, Setup->Settings.Compile, Setup->Source.Project);
    reportBodyErrors(Units);
    reportProjectIncludeDirs(Units, Setup->Project);
  }
  note(onlyPybind(Units, *Files));
  if (Schemas->Backends.empty() && !Request.Facts)
    note(uncheckedBackends(FoundBackends));
  note(raisedStandard(Units));
  if (Request.Tell)
    return reportForeignHeaders(Units, Setup->Source);
  for (std::string &Warning : foreignHeaders(Units, Setup->Source))
    Notes.push_back({std::move(Warning), true});
}

//===- Comparing -------------------------------------------------------------===//

static std::vector<std::string> mainFiles(llvm::ArrayRef<UnitFacts> Units) {
  std::vector<std::string> Names;
  for (const UnitFacts &Unit : Units)
    Names.push_back(Unit.MainFile);
  return Names;
}

static void reportUnstable(llvm::ArrayRef<UnitFacts> Units, const KnownStableNames &Known,
                           SourceFiles &In, Findings &Diags) {
  BoxedKernels Boxed = boxedKernels(Units);
  for (const UnitFacts &Unit : Units)
    reportStable(Unit, planStable(Unit, Known.Names, In, Boxed), In, Diags);
}

std::vector<SourceId> CommentedSources::of(llvm::ArrayRef<UnitFacts> Units, SourceFiles &In) {
  std::vector<SourceId> Out;
  for (const UnitFacts &Unit : Units) {
    SourceId Known = In.find(Unit.MainFile);
    if (Known != SourceId::None) {
      if (!mayHaveSuppressions(In.text(Known)))
        continue;
    } else if (const std::string &Text = textOf(Unit.MainFile); !Text.empty()) {
      Known = In.add(Unit.MainFile, Text);
    } else {
      continue;
    }
    if (!llvm::is_contained(Out, Known))
      Out.push_back(Known);
  }
  return Out;
}

const std::string &CommentedSources::textOf(const std::string &File) {
  auto [It, New] = Texts.try_emplace(File);
  if (!New)
    return It->second;
  if (auto Text = readWholeFile(File)) {
    if (mayHaveSuppressions((*Text)->getBuffer()))
      It->second = (*Text)->getBuffer().str();
  } else {
    llvm::consumeError(Text.takeError());
  }
  return It->second;
}

SiftedFindings CheckRun::compare(llvm::ArrayRef<UnitFacts> Of, SourceFiles &In,
                                 FindingFilter &Filter, Comparison &Done) {
  Findings Diags = Schemas->Diags;
  if (Checker) {
    // What an unread file has is not missing.
    Done = Checker->check(Of, Lost ? Scope::Unit : Setup->Settings.Of, In, Diags);
    if (StableNames)
      reportUnstable(Of, *StableNames, In, Diags);
    unifyFiles(Diags, mainFiles(Of), In);
  }
  checkBackendAutograd(Schemas->Backends, Diags);
  StableCode.report(In, Diags);
  return sift(std::move(Diags), Filter, In, Commented.of(Of, In));
}

/// Leaves the findings that stand on one of \p Lines, or have a note there.
static void keepOnly(const ChangedLines &Lines, SiftedFindings &Found, const SourceFiles &Files) {
  auto HasChanged = [&](const Place &At) {
    return At.isValid() && Lines.contain(Files.name(At.File), At.Line);
  };
  Findings Left;
  for (const Finding &D : Found.Reported.all())
    if (HasChanged(D.At) || llvm::any_of(D.Notes, [&](const Note &N) { return HasChanged(N.At); }))
      Left.append(D);
  Found.Reported = std::move(Left);
}

SiftedFindings CheckRun::report() {
  Setup->Settings.Filter = Expected;
  Comparison Done;
  SiftedFindings Found = compare(Units, *Files, Setup->Settings.Filter, Done);
  take(std::move(Done));
  if (Changed)
    keepOnly(*Changed, Found, *Files);
  Close->explain(Found);
  return Found;
}

void CheckRun::take(Comparison Done) {
  LookedFor = Done.Notes;
  for (const CheckNote &Note : Done.CheckNotes)
    if (Expected.Checks.contains(checkName(Note.Of)))
      LookedFor.push_back(Note.Text);
  Close->compared(std::move(Done));
}

/// What the files have after the edits is what there is to say of them.
void CheckRun::takeEdited(RemainingFindings &Left) {
  Units = std::move(Left.Units);
  Close->read(Units, Lost, WhyLost);
  UnseenBlocks Unseen(Units, Setup->Inputs.Python.Files, *Left.Files);
  Unseen.lookAtHeaders(Setup->Inputs.Groups, Units, *Left.Files);
  Close->unseen(Unseen.all());
  take(std::move(Left.Done));
  Close->explain(Left.Found);
}

void CheckRun::reportErrors() {
  if (!Checker)
    return;
  reportIncomplete(Units, Setup->Settings.Compile, Setup->Source.Project,
                   [this](llvm::StringRef File) { return Close->isExplained(File); });
  reportBodyErrors(Units);
  reportProjectIncludeDirs(Units, Setup->Project);
  if (Setup->Settings.Of != Scope::Project)
    return;
  if (std::string Why = incompleteTable(Units); !Why.empty())
    reportNote(Why);
}

void CheckRun::reportSearch() {
  if (Sources)
    note(Sources->note());
  for (const std::string &Text : LookedFor)
    note(Text);
}

SiftedFindings CheckRun::judge() {
  auto Report = [&] {
    StatusLine Status("comparing kernels with schemas");
    return report();
  };
  SiftedFindings All = Report();
  while (Reader && confirm(All, *Files, Setup->Commands, readingOptions(), *Reader, Units))
    All = Report();
  if (Request.Verbose && Reader)
    ReadingOptions::tellSteps(*Reader);
  if (!Request.Fix)
    reportErrors();
  if (Checker)
    findUnseen();
  if (!Request.Fix)
    reportSearch();
  findNothing(All);
  return All;
}

VerifiedFixes CheckRun::verify(SiftedFindings &All) {
  auto Judge = [this](llvm::ArrayRef<UnitFacts> Of, SourceFiles &In) {
    FindingFilter Filter = Expected;
    JudgedUnits Out;
    Out.Found = compare(Of, In, Filter, Out.Done);
    return Out;
  };
  ParseOptions Options = Checker ? readingOptions() : ParseOptions();
  CheckedProject Project{*Setup, Options, Schemas->Files, std::move(Units), Judge, *Known};
  VerifiedFixes Out = verifyFixes(All, *Files, Project);
  Units = std::move(Project.Units);
  if (Out.Remaining && Request.Writes)
    takeEdited(*Out.Remaining);
  reportErrors();
  reportSearch();
  return Out;
}
