//===- Check.cpp - opsig check ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FILEs (InputFiles.h), facts => CheckRun: units, Findings, fixes that are proven
//   => printed, exported, written (CheckOutput.h)
//
//===----------------------------------------------------------------------===//
#include "Subcommands.h"
#include "check/CheckOutput.h"
#include "check/CheckRun.h"
#include "check/Watch.h"
#include "opsig/Edit/ExportFixes.h"
#include "opsig/Report/AddSuppressions.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/SafeText.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
namespace path = llvm::sys::path;

namespace opsig {

namespace {

class CheckCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "check"; }
  llvm::StringRef operands() const override { return "[FILE...] [-- FLAGS]"; }
  cl::SubCommand &parser() override { return Sub; }
  Choices choices() override {
    return {{"format", &Format.getParser()}, {"scope", &Options.Of.getParser()}};
  }
  int run(const std::vector<std::string> &AfterDashes) override;

private:
  llvm::Expected<int> check(const std::vector<std::string> &AfterDashes);
  llvm::Error refuseCombinations() const;
  /// Comes back only if it fails.
  llvm::Error watch(const std::vector<std::string> &AfterDashes) const;
  CheckRequest request(const std::vector<std::string> &AfterDashes) const;
  llvm::Expected<int> writeUnits(const CheckRun &Run) const;
  llvm::Expected<int> printFiles(const CheckRun &Run) const;
  /// What is wrong with the user's YAML files, so that nothing can be compared with them.
  llvm::Expected<int> reportSchemas(CheckRun &Run) const;
  /// Of whatever \p All are in.
  void close(const SiftedFindings &All, CheckRun &Run, const SourceFiles &Files) const;
  /// \p Complete: nothing that was asked for is left out.
  llvm::Expected<int> deliver(const SiftedFindings &All, CheckRun &Run, bool Complete,
                              const VerifiedFixes *Verified) const;
  llvm::Expected<int> takeBaseline(const SiftedFindings &All, CheckRun &Run, int Status) const;
  /// Writes what was proven, or prints it as a patch. \p NumFound: before anything was mended.
  llvm::Error mend(size_t NumFound, CheckRun &Run, const VerifiedFixes &Verified) const;
  bool suppresses() const { return Suppress.getNumOccurrences() > 0; }
  bool fixes() const { return FixFiles || ShowDiff || suppresses(); }
  bool dryRun() const { return DryRun || ShowDiff; }
  /// Nobody can rely on what was not read.
  int statusOfReading(const CheckRun &Run, bool Complete) const {
    return Complete && !(WholeOnly && !Run.whole()) ? ExitClean : ExitUnusable;
  }

  cl::SubCommand Sub{
      "check",
      "Compare kernels with schemas; without FILE, check the project in the working folder"};
  SchemaOptions Schema{Sub};
  CheckOptions Options{Sub};
  ReadingOptions Reading{Sub};
  cl::list<std::string> Inputs{cl::Positional, cl::sub(Sub), cl::desc("[FILE...] [-- FLAGS]")};
  cl::opt<bool> AllListed{"all", cl::sub(Sub),
                          cl::desc("Check every C++ file that compile_commands.json lists")};
  cl::opt<bool> WholeOnly{"require-complete", cl::sub(Sub),
                          cl::desc("Exit with status 2 if a file could only be read in part")};
  cl::opt<bool> Quiet{"quiet", cl::sub(Sub), cl::desc("Print no summary line")};
  cl::opt<std::string> Since{"since", cl::sub(Sub), cl::value_desc("REV"),
                             cl::desc("Report only findings whose line, or the line of one of "
                                      "their notes, changed since this git revision")};
  cl::opt<bool> FixFiles{"fix", cl::sub(Sub),
                         cl::desc("Apply the fixes; if a file cannot be changed, change none")};
  cl::opt<std::string> Suppress{
      "add-suppressions", cl::sub(Sub), cl::value_desc("REASON"),
      cl::desc("Suppress each finding with a comment that gives this reason")};
  cl::opt<bool> DryRun{
      "dry-run", cl::sub(Sub),
      cl::desc("With --fix or --add-suppressions: change nothing; print a unified diff")};
  cl::opt<bool> ShowDiff{"diff", cl::sub(Sub), cl::desc("Same as --fix --dry-run")};
  cl::opt<FindingFormat> Format{
      "format", cl::sub(Sub), cl::desc("Choose how findings are printed"),
      cl::init(FindingFormat::Text),
      cl::values(
          clEnumValN(FindingFormat::Text, "text", "In Clang's style"),
          clEnumValN(FindingFormat::Concise, "concise", "One line per finding"),
          clEnumValN(FindingFormat::Grouped, "grouped", "One line per finding, grouped by file"),
          clEnumValN(FindingFormat::Json, "json", "One JSON object per line"),
          clEnumValN(FindingFormat::Sarif, "sarif", "A SARIF 2.1.0 log"),
          clEnumValN(FindingFormat::Html, "html", "An HTML page"),
          clEnumValN(FindingFormat::GitHub, "github",
                     "GitHub workflow commands, shown as annotations"),
          clEnumValN(FindingFormat::GitLab, "gitlab", "A GitLab Code Quality report"),
          clEnumValN(FindingFormat::JUnit, "junit", "A JUnit report in XML"))};
  cl::opt<std::string> UrlTemplate{
      "url-template", cl::sub(Sub), cl::value_desc("URL"),
      cl::desc(
          "With --format html: the URL of a source line, such as https://host/{path}#L{line}")};
  cl::opt<bool> Statistics{
      "statistics", cl::sub(Sub),
      cl::desc("Print the number of findings per check instead of the findings")};
  cl::opt<bool> ExitZero{"exit-zero", cl::sub(Sub),
                         cl::desc("Exit with status 0 even if there are findings")};
  cl::opt<bool> Watch{"watch", cl::sub(Sub),
                      cl::desc("Check again whenever a file changes, until Ctrl+C")};
  cl::opt<bool> ShowFiles{"show-files", cl::sub(Sub),
                          cl::desc("Print the files that would be read; check nothing")};
  cl::opt<std::string> Output{"output", cl::sub(Sub), cl::value_desc("FILE"),
                              cl::desc("Write findings to FILE instead of standard output")};
  cl::opt<std::string> ExportTo{"export-fixes", cl::sub(Sub), cl::value_desc("FILE"),
                                cl::desc("Write fixes to FILE for clang-apply-replacements")};
  cl::opt<std::string> StdinName{"stdin-filename", cl::sub(Sub), cl::value_desc("FILE"),
                                 cl::desc("Check standard input as the text of this C++ file")};
  cl::list<std::string> FactsFrom{
      "facts-in", cl::sub(Sub), cl::value_desc("FILE"),
      cl::desc("Also compare the facts that --facts-out wrote for other files; repeatable")};
  cl::opt<std::string> FactsTo{"facts-out", cl::sub(Sub), cl::value_desc("FILE"),
                               cl::desc("Write the facts of the files to FILE; check nothing")};
  cl::opt<std::string> DepfileTo{"depfile", cl::sub(Sub), cl::value_desc("FILE"),
                                 cl::desc("With --facts-out: write a depfile, which lists the "
                                          "files that were read, to FILE, for a build system")};
  cl::opt<std::string> Root{"root", cl::sub(Sub), cl::value_desc("DIR"),
                            cl::desc("Use DIR as the project's folder, and its .opsig.yaml for all "
                                     "files; default: search the files' folders and their "
                                     "parents")};
  cl::list<std::string> Binaries{"binary", cl::sub(Sub), cl::value_desc("LIB"),
                                 cl::desc("Report PyTorch symbols that this library uses but that "
                                          "the stable ABI lacks; repeatable")};
  cl::opt<std::string> Target{
      "target", cl::sub(Sub), cl::value_desc("VERSION"),
      cl::desc("Require that the library of --binary runs with this libtorch release and all later "
               "ones")};
  cl::opt<std::string> BaselineTo{
      "write-baseline", cl::sub(Sub), cl::value_desc("FILE"),
      cl::desc("Write all findings to FILE, for --baseline; report none")};
};

llvm::Expected<int> CheckCommand::reportSchemas(CheckRun &Run) const {
  SiftedFindings All = Run.schemaFindings();
  // Where what is wrong is silenced, nobody learns that kernels were not compared.
  bool Complete = FactsTo.empty() && !(All.Reported.empty() && Run.closing().leavesOut());
  return deliver(All, Run, Complete, nullptr);
}

void CheckCommand::close(const SiftedFindings &All, CheckRun &Run, const SourceFiles &Files) const {
  if (Schema.Verbose) {
    for (const UnreadRegistration &Unread : Run.closing().unread())
      reportNote(unreadText(Unread, Files));
    for (const Place &Name : Run.closing().longBodies())
      reportNote(bodyText(Name, Files));
  }
  if (!Quiet)
    llvm::errs() << "opsig: " << safeText(Run.closing().line(All)) << '\n';
}

llvm::Expected<int> CheckCommand::takeBaseline(const SiftedFindings &All, CheckRun &Run,
                                               int Status) const {
  if (llvm::Error Err = writeFile(BaselineTo, [&](llvm::raw_ostream &OS) {
        writeBaseline(OS, All.Reported.all(), Run.files(), path::parent_path(BaselineTo));
      }))
    return std::move(Err);
  close(All, Run, Run.files());
  return Status;
}

llvm::Expected<int> CheckCommand::deliver(const SiftedFindings &Found, CheckRun &Run, bool Complete,
                                          const VerifiedFixes *Verified) const {
  int Status = statusOfReading(Run, Complete);
  if (!BaselineTo.empty())
    return takeBaseline(Found, Run, Status);
  // What the files have when the run is over.
  const RemainingFindings *Left = nullptr;
  if (Verified && !dryRun()) {
    Left = Verified->Remaining ? &*Verified->Remaining : nullptr;
    if (!suppresses())
      Run.closing().mended(Verified->Repaired);
  }
  const SiftedFindings &All = Left ? Left->Found : Found;
  const SourceFiles &Files = Left ? *Left->Files : Run.files();
  RunReport Report{Run.notes().vec()};
  if (Format == FindingFormat::Sarif || Format == FindingFormat::Html)
    llvm::append_range(Report.Notes, Run.closing().notes(All, Files));
  // A patch on standard output stays one.
  llvm::raw_ostream &Words = dryRun() ? llvm::errs() : llvm::outs();
  Report.Successful = Complete && !Run.closing().leavesOut() && !Run.leavesOutEntries();
  if (llvm::Error Err =
          printFindings(All, Report, Files, {Format, Output, Statistics, UrlTemplate}, Words))
    return std::move(Err);
  // Who cannot see what was found gets no file changed either.
  if (llvm::Error Err = finishOutput())
    return std::move(Err);
  reportSuppressed(All, Files);
  if (Run.filter().Known && Complete)
    if (size_t Gone = Run.filter().Known->left())
      llvm::errs() << "opsig: " << Gone << " of the baseline's findings no longer occur\n";
  if (!ExportTo.empty())
    if (llvm::Error Err = writeFile(ExportTo, [&](llvm::raw_ostream &OS) {
          exportFixes(OS, Found.Reported.all(), Run.files());
        }))
      return std::move(Err);
  if (Verified)
    if (llvm::Error Err = mend(Found.Reported.size(), Run, *Verified))
      return std::move(Err);
  close(All, Run, Files);
  return Status == ExitClean && !All.Reported.empty() && !ExitZero ? ExitFindings : Status;
}

llvm::Error CheckCommand::mend(size_t NumFound, CheckRun &Run,
                               const VerifiedFixes &Verified) const {
  unsigned Changed = Verified.Files.size();
  if (dryRun()) {
    printPatch(Verified.Files);
    if (llvm::Error Err = finishOutput())
      return Err;
  } else {
    // Also where there is nothing to mend: a run that was killed at its very end has left that.
    llvm::Expected<unsigned> Written = rewriteFiles(Verified.Files, Run.known().Texts);
    if (!Written)
      return Written.takeError();
    Changed = *Written;
  }
  if (NumFound)
    reportFixed(Verified, NumFound, Changed, dryRun(),
                suppresses() ? EditKind::Suppress : EditKind::Fix);
  return llvm::Error::success();
}

llvm::Expected<int> CheckCommand::writeUnits(const CheckRun &Run) const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  FactsStamp Stamp = factsStamp(OPSIG_VERSION, Run.parseOptions());
  if (llvm::Error Err = writeFacts(OS, Run.units(), Stamp))
    return std::move(Err);
  std::string Inputs;
  if (!DepfileTo.empty()) {
    llvm::raw_string_ostream InputsOut(Inputs);
    writeDepfile(InputsOut, FactsTo, Run.inputs());
  }
  // A build that finds new facts finds what they were made of, too.
  std::vector<FileText> Files{{FactsTo, std::move(Text)}};
  if (!DepfileTo.empty())
    Files.push_back({DepfileTo, std::move(Inputs)});
  if (llvm::Error Err = writeFiles(Files))
    return std::move(Err);
  return statusOfReading(Run, Run.complete());
}

llvm::Expected<int> CheckCommand::printFiles(const CheckRun &Run) const {
  for (const std::string &Problem : Run.input().Problems)
    complain(llvm::createStringError(Problem));
  std::vector<std::string> Files = Run.input().Files;
  llvm::append_range(Files, Run.input().Python);
  llvm::sort(Files);
  for (const std::string &File : Files)
    llvm::outs() << safeLineStart(File) << '\n';
  if (llvm::Error Err = finishOutput())
    return std::move(Err);
  return Run.input().Problems.empty() ? ExitClean : ExitUnusable;
}

llvm::Error CheckCommand::refuseCombinations() const {
  if (DryRun && !fixes())
    return llvm::createStringError(
        "--dry-run prints the edits of --fix or --add-suppressions; add one of these two options");
  if (suppresses() && (FixFiles || ShowDiff))
    return llvm::createStringError("--add-suppressions cannot be combined with --fix");
  if (suppresses() && llvm::StringRef(Suppress).contains('\n'))
    return llvm::createStringError("--add-suppressions needs a one-line reason");
  if (suppresses() && llvm::sys::fs::exists(Suppress))
    return llvm::createStringError("--add-suppressions needs a reason, but '" + Suppress +
                                   "' is a file or folder; write --add-suppressions 'REASON' " +
                                   Suppress);
  if (!BaselineTo.empty() && fixes())
    return llvm::createStringError("--write-baseline cannot be combined with --fix, --diff or "
                                   "--add-suppressions, because it changes no source file; run "
                                   "--fix first");
  if (!DepfileTo.empty() && FactsTo.empty())
    return llvm::createStringError("--depfile needs --facts-out");
  if (!Target.empty() && Binaries.empty())
    return llvm::createStringError(
        "--target needs --binary, because --target applies only to libraries");
  if (!Binaries.empty() && !FactsTo.empty())
    return llvm::createStringError(
        "--facts-out cannot be combined with --binary, because --facts-out checks nothing");
  if (!UrlTemplate.empty() && Format != FindingFormat::Html)
    return llvm::createStringError("--url-template needs --format html");
  llvm::StringRef Url = UrlTemplate;
  if (!Url.empty() && !(Url.starts_with("https://") || Url.starts_with("http://")))
    return llvm::createStringError("--url-template must begin with https:// or http://");
  if (!Url.empty() && !Url.contains("{path}"))
    return llvm::createStringError("--url-template must contain {path}, and may contain {line}");
  if (Statistics && !isText(Format) && Format != FindingFormat::Json)
    return llvm::createStringError("--statistics needs --format text or --format json");
  if (!StdinName.empty() && (fixes() || Watch || !FactsTo.empty() || !BaselineTo.empty()))
    return llvm::createStringError("--stdin-filename cannot be combined with "
                                   "--fix, --diff, --add-suppressions, --watch, --facts-out or "
                                   "--write-baseline");
  if (llvm::StringRef(StdinName).ends_with(".py"))
    return llvm::createStringError("--stdin-filename supports C++ files only");
  if (!Root.empty() && !llvm::sys::fs::is_directory(Root))
    return llvm::createStringError("no folder '" + Root + "' (--root)");
  if (!Since.empty() && (fixes() || !FactsTo.empty() || !BaselineTo.empty()))
    return llvm::createStringError("--since only limits what is reported, so it cannot be combined "
                                   "with --fix, --facts-out or --write-baseline");
  return llvm::Error::success();
}

CheckRequest CheckCommand::request(const std::vector<std::string> &AfterDashes) const {
  CheckRequest Request;
  Request.Arguments = {
      {Inputs.begin(), Inputs.end()}, AllListed, AfterDashes, Root, !FactsFrom.empty()};
  Request.FactsFrom = {FactsFrom.begin(), FactsFrom.end()};
  Request.Facts = !FactsTo.empty();
  Request.NotesInputs = !DepfileTo.empty();
  // Where nothing is reported, nothing is mended.
  Request.Fix = fixes() && !Request.Facts;
  Request.Writes = Request.Fix && !dryRun();
  Request.Baseline = !BaselineTo.empty();
  Request.Tell = isText(Format);
  Request.Verbose = Schema.Verbose;
  Request.Binaries = {Binaries.begin(), Binaries.end()};
  Request.Target = Target;
  if (!StdinName.empty()) {
    if (!llvm::is_contained(Request.Arguments.Inputs, StdinName))
      Request.Arguments.Inputs.push_back(StdinName);
    if (auto Text = llvm::MemoryBuffer::getSTDIN())
      Request.Buffers.push_back({absolutePath(StdinName), (*Text)->getBuffer().str()});
  }
  // Who names nothing means the project that he stands in.
  SchemaSettings Named = Schema.settings();
  if (!Request.anySource() && Binaries.empty() && Named.NativeFunctions.empty() &&
      Named.Backends.empty()) {
    Request.Arguments.Inputs = {"."};
    Request.Arguments.IsImplied = true;
  }
  return Request;
}

llvm::Expected<int> CheckCommand::check(const std::vector<std::string> &AfterDashes) {
  if (llvm::Error Err = refuseCombinations())
    return std::move(Err);
  CheckRequest Request = request(AfterDashes);
  CheckRun Run(Request);
  if (llvm::Error Err = Run.setUp(Schema, Options))
    return std::move(Err);
  if (ShowFiles)
    return printFiles(Run);
  if (!Run.usable())
    return reportSchemas(Run);
  if (!Since.empty()) {
    llvm::Expected<bool> Any = Run.limitTo(Since);
    if (!Any)
      return Any.takeError();
    if (!*Any)
      return deliver(SiftedFindings(), Run, true, nullptr);
  }
  if (llvm::Error Err = Run.read(Reading))
    return std::move(Err);
  if (Request.Facts && Request.anySource())
    return writeUnits(Run);
  SiftedFindings All = Run.judge();
  // Where all that is wrong with YAML files is suppressed, no finding says that entries are left
  // out.
  bool IsHidden = Run.leavesOutEntries() && All.Reported.empty() && Since.empty();
  bool Complete = Run.complete() && !IsHidden;
  if (!fixes())
    return deliver(All, Run, Complete, nullptr);
  if (suppresses())
    All.Reported = withSuppressions(All.Reported.all(), Suppress, Run.files());
  VerifiedFixes Verified = Run.verify(All);
  return deliver(All, Run, Complete, &Verified);
}

llvm::Error CheckCommand::watch(const std::vector<std::string> &AfterDashes) const {
  if (fixes() || !BaselineTo.empty() || !FactsTo.empty() || ShowFiles)
    return llvm::createStringError("--watch cannot be combined with --fix, "
                                   "--diff, --add-suppressions, --write-baseline, --facts-out or "
                                   "--show-files");
  std::vector<std::string> Words;
  llvm::copy_if(commandLine(), std::back_inserter(Words), [](llvm::StringRef Word) {
    return Word != "--watch" && Word != "-watch" && Word != "--watch=true";
  });
  if (!AfterDashes.empty()) {
    Words.push_back("--");
    llvm::append_range(Words, AfterDashes);
  }
  std::vector<std::string> Folders;
  for (const std::string &Input : Inputs)
    Folders.push_back(llvm::sys::fs::is_directory(Input) ? Input : startFolder({Input}));
  if (Folders.empty())
    Folders = {Root.empty() ? std::string(".") : Root.getValue()};
  return watchAndRun(Words, Folders);
}

int CheckCommand::run(const std::vector<std::string> &AfterDashes) {
  if (!Watch)
    return statusOf(check(AfterDashes));
  complain(watch(AfterDashes));
  return ExitUnusable;
}

} // namespace

std::unique_ptr<Subcommand> makeCheckCommand() { return std::make_unique<CheckCommand>(); }

} // namespace opsig
