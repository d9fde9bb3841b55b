//===- Check.cpp - opsig check ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FILEs (InputFiles.h), facts => units (KernelCheck.h) => diagnostics (lib/Check)
//   => Findings: what is wanted, and not silenced => printed, exported, fixed (CheckOutput.h)
//
//===----------------------------------------------------------------------===//
#include "Subcommands.h"
#include "check/CheckOutput.h"
#include "check/CheckSetup.h"
#include "check/CodeHeaders.h"
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
  /// then clears \p Complete.
  std::vector<TranslationUnit> read(const CheckSetup &Setup, const ParseOptions &Options,
                                    SourceFiles &Files, bool &Complete);
  llvm::Expected<int> writeUnits(const std::vector<TranslationUnit> &Units,
                                 const ParseOptions &Options, bool Complete) const;
  /// What is wrong with YAML files that cannot be used.
  llvm::Expected<int> printUnusable(LoadedSchemas &Schemas) const;
  llvm::Expected<int> deliver(Findings All, const FindingFilter &Filter, const SourceFiles &Files,
                              bool Complete) const;

  cl::SubCommand Sub{"check", "Compare kernels with schemas; without FILE: check the YAML alone"};
  /// Nobody can rely on what was not read.
  bool lacksParts() const { return WholeOnly && !AllWhole; }

  std::vector<RunNote> Notes;
  bool AllWhole = true;
  /// What --fix edits.
  std::unique_ptr<ReadTexts> Known = std::make_unique<ReadTexts>();
  SchemaOptions Schema{Sub};
  CheckOptions Options{Sub};
  cl::list<std::string> Inputs{cl::Positional, cl::sub(Sub), cl::desc("FILE... [-- FLAGS]")};
  cl::opt<bool> AllListed{"all", cl::sub(Sub),
                          cl::desc("Every C++ file that compile_commands.json lists")};
  cl::opt<bool> WholeOnly{"require-complete", cl::sub(Sub),
                          cl::desc("End with 2 where a file could be read in part only")};
  cl::opt<bool> FixFiles{"fix", cl::sub(Sub), cl::desc("Mend the files; all of them or none")};
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

llvm::Expected<int> CheckCommand::printUnusable(LoadedSchemas &Schemas) const {
  if (Format == OutputFormat::Text && Output.empty()) {
    printDiagnostics(llvm::errs(), Schemas.Diags, Schemas.Files, Format);
    return ExitUnusable;
  }
  Findings All;
  Schemas.Diags.sort(Schemas.Files);
  All.Reported = std::move(Schemas.Diags);
  if (llvm::Error Err =
          printFindings(All, Notes, Schemas.Files, Format, Output, /*Successful=*/false))
    return std::move(Err);
  return ExitUnusable;
}

llvm::Expected<int> CheckCommand::deliver(Findings All, const FindingFilter &Filter,
                                          const SourceFiles &Files, bool Complete) const {
  int Status = Complete && !lacksParts() ? ExitClean : ExitUnusable;
  if (!BaselineTo.empty()) {
    if (llvm::Error Err = writeFile(BaselineTo, [&](llvm::raw_ostream &OS) {
          writeBaseline(OS, All.Reported.all(), Files, path::parent_path(BaselineTo));
        }))
      return std::move(Err);
    return Status;
  }
  if (llvm::Error Err = printFindings(All, Notes, Files, Format, Output, Complete))
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
  bool Mended = All.Reported.empty();
  if (FixFiles && !Mended) {
    llvm::Expected<bool> Fixed = fixFiles(All, Files, *Known);
    if (!Fixed)
      return Fixed.takeError();
    Mended = *Fixed;
  } else if (FixFiles) {
    // A run that was killed at its very end has left nothing to be mended.
    if (llvm::Error Err = rewriteFiles(OutputTree(), *Known).takeError())
      return std::move(Err);
  }
  return Status == ExitClean && !Mended ? ExitFindings : Status;
}

std::vector<TranslationUnit> CheckCommand::read(const CheckSetup &Setup,
                                                const ParseOptions &Options, SourceFiles &Files,
                                                bool &Complete) {
  for (const std::string &Problem : Setup.Inputs.Problems)
    complain(llvm::createStringError(Problem));
  Complete &= Setup.Inputs.Problems.empty();
  NoteText Note;
  if (FixFiles)
    Note = [this](llvm::StringRef Path, llvm::StringRef Text) {
      Known->note(absolutePath(Path), Text);
    };
  for (const std::string &Name : Setup.Inputs.Names)
    Known->addName(Name);
  ReadUnits Read = readKernels(Setup.Inputs.Files, Setup.Commands, Options,
                               Setup.Settings.Compile.Threads, Files, Note);
  if (Schema.Verbose)
    tellDropped(Read.Dropped);
  ReadUnits Joined = joinFacts(FactsFrom, factsStamp(OPSIG_VERSION, Options));
  Complete &= Read.Complete && Joined.Complete;
  std::vector<TranslationUnit> Units = std::move(Read.Units);
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
  llvm::Expected<CheckSetup> Setup = setUpCheck(Schema, Options, {given(), AllListed, AfterDashes},
                                                IsText ? llvm::errs() : llvm::nulls());
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
  if (!Schemas.usable())
    return printUnusable(Schemas);

  bool Complete = true;
  Diagnostics Diags = std::move(Schemas.Diags);
  if (!Inputs.empty() || AllListed || !FactsFrom.empty()) {
    Bodies Of = looksIntoBodies(Settings.Filter.Checks) ? Bodies::Read : Bodies::Skip;
    ProjectChecker Checker(*Schemas.Ops, Schemas.Backends, Of);
    std::vector<TranslationUnit> Units =
        read(*Setup, Checker.parseOptions(Setup->Project), Schemas.Files, Complete);
    if (std::string Why = onlyPybind(Units, Schemas.Files); !Why.empty()) {
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
      return writeUnits(Units, Checker.parseOptions(), Complete);
    // What an unread file has is not missing.
    Checker.check(Units, Complete ? Settings.Of : Extent::Unit, Schemas.Files, Diags);
    unifyFiles(Diags, mainFiles(Units), Schemas.Files);
  }
  checkBackendAutograd(Schemas.Backends, Diags);
  Findings All = sift(std::move(Diags), Settings.Filter, Schemas.Files);
  return deliver(std::move(All), Settings.Filter, Schemas.Files, Complete);
}

int CheckCommand::run(const std::vector<std::string> &AfterDashes) {
  return statusOf(check(AfterDashes));
}

} // namespace

std::unique_ptr<Subcommand> makeCheckCommand() { return std::make_unique<CheckCommand>(); }

} // namespace opsig
