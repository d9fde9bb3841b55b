//===- Check.cpp - opsig check ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FILEs (InputFiles.h), facts => units (KernelCheck.h) => diagnostics (lib/Check)
//   => Findings: what is wanted, and not silenced => fixes that are proven (FixProof.h)
//   => printed, exported, written (CheckOutput.h)
//
//===----------------------------------------------------------------------===//
#include "Subcommands.h"
#include "check/CheckOutput.h"
#include "check/CheckSetup.h"
#include "check/Closing.h"
#include "check/CodeHeaders.h"
#include "check/FixProof.h"
#include "check/GivenSources.h"
#include "check/PythonFiles.h"
#include "check/Reading.h"
#include "check/Since.h"
#include "opsig/Check/Registrations.h"
#include "opsig/Rewrite/ExportFixes.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
namespace path = llvm::sys::path;

namespace opsig {

namespace {

std::vector<std::string> mainFiles(llvm::ArrayRef<TranslationUnit> Units) {
  std::vector<std::string> Names;
  for (const TranslationUnit &Unit : Units)
    Names.push_back(Unit.MainFile);
  return Names;
}

class CheckCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "check"; }
  llvm::StringRef operands() const override { return "FILE... [-- FLAGS]"; }
  cl::SubCommand &parser() override { return Sub; }
  Choices choices() override {
    return {{"format", &Format.getParser()}, {"extent", &Options.Of.getParser()}};
  }
  int run(const std::vector<std::string> &AfterDashes) override;

private:
  llvm::Expected<int> check(const std::vector<std::string> &AfterDashes);
  std::vector<std::string> given() const { return {Inputs.begin(), Inputs.end()}; }
  /// All translation units, read from sources or facts; complains about what cannot be read, and
  /// counts it in \p Lost.
  std::vector<TranslationUnit> read(const CheckSetup &Setup, const ParseOptions &Options,
                                    SourceFiles &Files, unsigned &Lost);
  llvm::Expected<int> writeUnits(const std::vector<TranslationUnit> &Units,
                                 const ParseOptions &Options, bool Complete) const;
  /// What is wrong with the user's YAML files, so that nothing can be compared with them.
  llvm::Expected<int> reportSchemas(LoadedSchemas &Schemas, FindingFilter &Filter);
  void close(const Findings &All, const SourceFiles &Files) const;
  llvm::Expected<int> deliver(Findings All, const FindingFilter &Filter, const SourceFiles &Files,
                              bool Complete, const ProvenFixes *Proven);
  llvm::Expected<int> mend(const Findings &All, const ProvenFixes &Proven, int Status) const;

  /// Nobody can rely on what was not read.
  bool lacksParts() const { return WholeOnly && !AllWhole; }

  cl::SubCommand Sub{"check", "Compare kernels with schemas; without FILE: check the YAML alone"};
  std::vector<RunNote> Notes;
  bool AllWhole = true;
  std::optional<Closing> Close;
  /// For --fix.
  std::unique_ptr<ReadLog> Known = std::make_unique<ReadLog>();
  SchemaOptions Schema{Sub};
  CheckOptions Options{Sub};
  ReadingOptions Reading{Sub};
  std::optional<UnitReader> Reader;
  cl::list<std::string> Inputs{cl::Positional, cl::sub(Sub), cl::desc("FILE... [-- FLAGS]")};
  cl::opt<bool> AllListed{"all", cl::sub(Sub),
                          cl::desc("Every C++ file that compile_commands.json lists")};
  cl::opt<bool> WholeOnly{"require-complete", cl::sub(Sub),
                          cl::desc("End with 2 where a file could be read in part only")};
  cl::opt<bool> Quiet{"quiet", cl::sub(Sub), cl::desc("No closing line")};
  cl::opt<std::string> Since{
      "since", cl::sub(Sub), cl::value_desc("REV"),
      cl::desc("Report only what is on lines that changed since this revision of git")};
  cl::opt<bool> FixFiles{"fix", cl::sub(Sub), cl::desc("Mend the files; all of them or none")};
  cl::opt<bool> DryRun{"dry-run", cl::sub(Sub),
                       cl::desc("With --fix: change nothing; print a unified diff")};
  cl::opt<OutputFormat> Format{
      "format", cl::sub(Sub), cl::desc("How findings are printed"), cl::init(OutputFormat::Text),
      cl::values(clEnumValN(OutputFormat::Text, "text", "In Clang's style"),
                 clEnumValN(OutputFormat::Json, "json", "One JSON object a line"),
                 clEnumValN(OutputFormat::Sarif, "sarif", "A SARIF 2.1.0 log"),
                 clEnumValN(OutputFormat::Html, "html", "A page to be read in a browser"))};
  cl::opt<std::string> Output{"output", cl::sub(Sub), cl::value_desc("FILE"),
                              cl::desc("Print findings there instead of to standard output")};
  cl::opt<std::string> ExportTo{"export-fixes", cl::sub(Sub), cl::value_desc("FILE"),
                                cl::desc("Write fixes there for clang-apply-replacements")};
  cl::list<std::string> FactsFrom{
      "facts-in", cl::sub(Sub), cl::value_desc("FILE"),
      cl::desc("Join what --facts-out wrote of other files; repeatable")};
  cl::opt<std::string> FactsTo{"facts-out", cl::sub(Sub), cl::value_desc("FILE"),
                               cl::desc("Write there what the files hold; check nothing")};
  cl::opt<std::string> BaselineTo{
      "write-baseline", cl::sub(Sub), cl::value_desc("FILE"),
      cl::desc("Write all findings there, to be given to --baseline; report none")};
};

llvm::Expected<int> CheckCommand::reportSchemas(LoadedSchemas &Schemas, FindingFilter &Filter) {
  Close->schemasAreWrong(/*There=*/!Inputs.empty() || AllListed || !FactsFrom.empty());
  Findings All = sift(std::move(Schemas.Diags), Filter, Schemas.Files);
  // Where what is wrong is silenced, nobody learns that kernels were not compared.
  bool Complete = FactsTo.empty() && !(All.Reported.empty() && Close->leavesOut());
  return deliver(std::move(All), Filter, Schemas.Files, Complete, nullptr);
}

void CheckCommand::close(const Findings &All, const SourceFiles &Files) const {
  if (Schema.Verbose)
    for (const UnreadRegistration &Unread : Close->unread())
      llvm::WithColor::note(llvm::errs(), "opsig")
          << unreadText(Unread, Files) << ": this registration could not be read\n";
  if (!Quiet)
    llvm::errs() << "opsig: " << Close->line(All) << '\n';
}

llvm::Expected<int> CheckCommand::deliver(Findings All, const FindingFilter &Filter,
                                          const SourceFiles &Files, bool Complete,
                                          const ProvenFixes *Proven) {
  int Status = Complete && !lacksParts() ? ExitClean : ExitUnusable;
  if (!BaselineTo.empty()) {
    if (llvm::Error Err = writeFile(BaselineTo, [&](llvm::raw_ostream &OS) {
          writeBaseline(OS, All.Reported.all(), Files, path::parent_path(BaselineTo));
        }))
      return std::move(Err);
    close(All, Files);
    return Status;
  }
  std::vector<RunNote> Said = Notes;
  if (Format == OutputFormat::Sarif || Format == OutputFormat::Html)
    llvm::append_range(Said, Close->notes(All, Files));
  // A patch on standard output stays one.
  llvm::raw_ostream &Words = DryRun ? llvm::errs() : llvm::outs();
  if (llvm::Error Err =
          printFindings(All, Said, Files, Format, Output, Complete && !Close->leavesOut(), Words))
    return std::move(Err);
  // Who cannot see what was found gets no file changed either.
  if (llvm::Error Err = finishOutput())
    return std::move(Err);
  tellSilenced(All);
  if (Filter.Known && Complete)
    if (size_t Left = Filter.Known->left())
      llvm::errs() << "opsig: " << Left << " of the baseline's findings are gone\n";
  if (!ExportTo.empty())
    if (llvm::Error Err = writeFile(
            ExportTo, [&](llvm::raw_ostream &OS) { exportFixes(OS, All.Reported.all(), Files); }))
      return std::move(Err);
  if (Proven) {
    llvm::Expected<int> Mended = mend(All, *Proven, Status);
    if (!Mended)
      return Mended;
    if (!DryRun)
      Close->mended(Proven->Applied);
    close(All, Files);
    return Mended;
  }
  close(All, Files);
  return Status == ExitClean && !All.Reported.empty() ? ExitFindings : Status;
}

llvm::Expected<int> CheckCommand::mend(const Findings &All, const ProvenFixes &Proven,
                                       int Status) const {
  bool Clean = Proven.Left == 0 && !(DryRun && !Proven.Files.empty());
  unsigned Changed = Proven.Files.size();
  if (DryRun) {
    printPatch(Proven);
    if (llvm::Error Err = finishOutput())
      return std::move(Err);
  } else {
    OutputTree Tree;
    for (const EditedFileText &File : Proven.Files)
      Tree.edit(File.Name, File.Before, File.Now);
    // Also where there is nothing to mend: a run that was killed at its very end has left that.
    llvm::Expected<unsigned> Written = rewriteFiles(std::move(Tree), Known->Texts);
    if (!Written)
      return Written.takeError();
    Changed = *Written;
  }
  if (!All.Reported.empty())
    tellFixed(Proven, All.Reported.size(), Changed, DryRun);
  return Status == ExitClean && !Clean ? ExitFindings : Status;
}

std::vector<TranslationUnit> CheckCommand::read(const CheckSetup &Setup,
                                                const ParseOptions &Options, SourceFiles &Files,
                                                unsigned &Lost) {
  for (const std::string &Problem : Setup.Inputs.Problems)
    complain(llvm::createStringError(Problem));
  Lost += Setup.Inputs.Problems.size();
  NoteRead Note;
  if (FixFiles)
    Note = Known->note();
  for (const std::string &Name : Setup.Inputs.Names)
    Known->Texts.addName(Name);
  // Facts are joined elsewhere, where nothing can be read again.
  Reader.emplace(Reading.settings(Setup.Settings.Compile.Threads, FactsTo.empty()));
  ReadUnits Read = readKernels(Setup.Inputs.Files, Setup.Commands, Options, *Reader, Files, Note);
  if (Schema.Verbose) {
    tellDropped(Read.Dropped);
    Reading.tell(*Reader, Setup.Inputs.Files.size());
  }
  ReadUnits Joined = joinFacts(FactsFrom, factsStamp(OPSIG_VERSION, Options));
  Lost += Read.Lost + Joined.Lost;
  std::vector<TranslationUnit> Units = std::move(Read.Units);
  if (llvm::Expected<std::vector<TranslationUnit>> Python = readPython(Setup.Inputs.Python)) {
    for (TranslationUnit &Unit : *Python) {
      // Strings are read by the rules of the headers that the project is built with.
      if (!Units.empty())
        Unit.Names.Strings = Units.front().Names.Strings;
      Units.push_back(std::move(Unit));
    }
  } else {
    complain(Python.takeError());
    Lost += Setup.Inputs.Python.size();
  }
  std::move(Joined.Units.begin(), Joined.Units.end(), std::back_inserter(Units));
  // As if all had been read here: in this order, each once.
  llvm::stable_sort(Units, [](const TranslationUnit &L, const TranslationUnit &R) {
    return L.MainFile < R.MainFile;
  });
  auto Repeats = llvm::unique(Units, [](const TranslationUnit &L, const TranslationUnit &R) {
    return L.MainFile == R.MainFile;
  });
  Units.erase(Repeats, Units.end());
  tellIncomplete(Units);
  AllWhole = llvm::all_of(Units, [](const TranslationUnit &Unit) { return Unit.complete(); });
  if (Setup.Settings.Of == Extent::Project && FactsTo.empty())
    if (std::string Why = incompleteTable(Units); !Why.empty())
      llvm::WithColor::note(llvm::errs(), "opsig") << Why << '\n';
  return Units;
}

llvm::Expected<int> CheckCommand::writeUnits(const std::vector<TranslationUnit> &Units,
                                             const ParseOptions &Options, bool Complete) const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (llvm::Error Err = writeFacts(OS, Units, factsStamp(OPSIG_VERSION, Options)))
    return std::move(Err);
  if (llvm::Error Err = writeFile(FactsTo, [&](llvm::raw_ostream &Out) { Out << Text; }))
    return std::move(Err);
  return Complete && !lacksParts() ? ExitClean : ExitUnusable;
}

llvm::Expected<int> CheckCommand::check(const std::vector<std::string> &AfterDashes) {
  // In other formats notes stand among the findings.
  bool IsText = Format == OutputFormat::Text;
  if (DryRun && !FixFiles)
    return llvm::createStringError("--dry-run shows what --fix would do, and needs it");
  if (!Since.empty() && (FixFiles || !FactsTo.empty() || !BaselineTo.empty()))
    return llvm::createStringError("--since is about what is reported; --fix, --facts-out and "
                                   "--write-baseline take all there is");
  CheckArguments Arguments{given(), AllListed, AfterDashes};
  llvm::Expected<CheckSetup> Setup =
      setUpCheck(Schema, Options, Arguments, IsText ? llvm::errs() : llvm::nulls());
  if (!Setup)
    return Setup.takeError();
  CheckSettings &Settings = Setup->Settings;
  // A new baseline replaces the old one.
  if (!BaselineTo.empty())
    Settings.Filter.Known.reset();
  llvm::Expected<std::unique_ptr<LoadedSchemas>> Loaded = loadSchemas(Setup->Source);
  if (!Loaded)
    return Loaded.takeError();
  LoadedSchemas &Schemas = **Loaded;
  Notes = runNotes(Setup->Source, Schemas);
  if (!IsText)
    Schemas.Warnings.clear();
  tellOfPyTorch(Schemas, Schema.Verbose);
  Close.emplace(
      llvm::count_if(Schemas.Ops->Functions, [](const NativeFunction &F) { return !F.Generated; }));
  if (!Schemas.usable())
    return reportSchemas(Schemas, Settings.Filter);

  std::optional<ChangedLines> Changed;
  if (!Since.empty()) {
    llvm::Expected<ChangedLines> Lines = ChangedLines::since(Since, startFolder(given()));
    if (!Lines)
      return Lines.takeError();
    Changed = std::move(*Lines);
    // Nothing has to be read. What facts are of is not known yet.
    if (FactsFrom.empty() && Changed->concernNone(*Setup)) {
      Close->read({}, 0);
      return deliver(Findings(), Settings.Filter, Schemas.Files, true, nullptr);
    }
  }

  unsigned Lost = 0;
  SourceFiles Files(&Schemas.Files);
  std::optional<ProjectChecker> Checker;
  GivenSources Sources(*Setup, Arguments);
  std::vector<TranslationUnit> Units;
  if (!Inputs.empty() || AllListed || !FactsFrom.empty()) {
    Bodies Of = looksIntoBodies(Settings.Filter.Checks) ? Bodies::Read : Bodies::Skip;
    Checker.emplace(*Schemas.Ops, Schemas.Backends, Of);
    Checker->setLayout(Sources.layout());
    Units = read(*Setup, Checker->parseOptions(Setup->Project), Files, Lost);
    Close->read(Units, Lost);
    if (std::string Why = onlyPybind(Units, Files); !Why.empty()) {
      if (IsText)
        llvm::WithColor::note(llvm::errs(), "opsig") << Why << '\n';
      Notes.push_back({std::move(Why), false});
    }
    if (IsText)
      tellForeignHeaders(Units, Setup->Source);
    else
      for (std::string &Warning : foreignHeaders(Units, Setup->Source))
        Notes.push_back({std::move(Warning), true});
    if (!FactsTo.empty())
      return writeUnits(Units, Checker->parseOptions(), Lost == 0);
  }
  auto Judge = [&](llvm::ArrayRef<TranslationUnit> Of, SourceFiles &In, FindingFilter &Filter,
                   Comparison &Done) {
    Diagnostics Diags = Schemas.Diags;
    if (Checker) {
      // What an unread file has is not missing.
      Done = Checker->check(Of, Lost ? Extent::Unit : Settings.Of, In, Diags);
      unifyFiles(Diags, mainFiles(Of), In);
    }
    checkBackendAutograd(Schemas.Backends, Diags);
    return sift(std::move(Diags), Filter, In);
  };
  const FindingFilter Wanted = Settings.Filter; // a baseline is used up
  auto Report = [&] {
    Settings.Filter = Wanted;
    Comparison Done;
    Findings Found = Judge(Units, Files, Settings.Filter, Done);
    Close->compared(std::move(Done));
    if (Changed)
      Changed->filter(Found, Files);
    return Found;
  };
  Findings All = Report();
  while (Reader && confirm(All, Files, Setup->Commands, Checker->parseOptions(Setup->Project),
                           *Reader, Units))
    All = Report();
  if (!Sources.note().empty()) {
    if (IsText)
      llvm::WithColor::note(llvm::errs(), "opsig") << Sources.note() << '\n';
    Notes.push_back({Sources.note(), false});
  }
  if (!FixFiles)
    return deliver(std::move(All), Settings.Filter, Files, Lost == 0, nullptr);
  CheckedProject Project{*Setup,
                         Checker ? Checker->parseOptions(Setup->Project) : ParseOptions(),
                         Schemas.Files,
                         std::move(Units),
                         [&](llvm::ArrayRef<TranslationUnit> Of, SourceFiles &In) {
                           FindingFilter Filter = Wanted;
                           Comparison Done;
                           return Judge(Of, In, Filter, Done);
                         },
                         *Known};
  ProvenFixes Proven = proveFixes(All, Files, Project);
  return deliver(std::move(All), Settings.Filter, Files, Lost == 0, &Proven);
}

int CheckCommand::run(const std::vector<std::string> &AfterDashes) {
  return statusOf(check(AfterDashes));
}

} // namespace

std::unique_ptr<Subcommand> makeCheckCommand() { return std::make_unique<CheckCommand>(); }

} // namespace opsig
