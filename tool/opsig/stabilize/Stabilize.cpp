//===- Stabilize.cpp - opsig stabilize ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FILEs => new texts (StabilizeRun.h) => written, all or none | printed as a patch | a report
//
//===----------------------------------------------------------------------===//
#include "Subcommands.h"
#include "Terminal.h"
#include "check/CheckOutput.h"
#include "stabilize/StabilizeReport.h"
#include "opsig/Dialect/Dialect.h"
#include "opsig/Edit/UnifiedDiff.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/SafeText.h"

namespace cl = llvm::cl;

namespace opsig {

namespace {

class StabilizeCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "stabilize"; }
  llvm::StringRef operands() const override { return "FILE... [-- FLAGS]"; }
  cl::SubCommand &parser() override { return Sub; }
  Choices choices() override {
    return {{"format", &Format.getParser()}, {"scope", &Options.Of.getParser()}};
  }
  int run(const std::vector<std::string> &AfterDashes) override {
    return statusOf(stabilize(AfterDashes));
  }

private:
  llvm::Expected<int> stabilize(const std::vector<std::string> &AfterDashes);
  llvm::Expected<StabilizeRequest> request() const;
  llvm::Expected<int> report(const StabilizeOutcome &Outcome) const;
  llvm::Expected<int> deliver(const StabilizeOutcome &Outcome) const;

  cl::SubCommand Sub{"stabilize",
                     "Move TORCH_LIBRARY code to libtorch's stable ABI, and list what is left"};
  SchemaOptions Schema{Sub};
  CheckOptions Options{Sub};
  cl::list<std::string> Inputs{cl::Positional, cl::sub(Sub), cl::desc("FILE... [-- FLAGS]")};
  cl::opt<bool> AllListed{"all", cl::sub(Sub),
                          cl::desc("Every C++ file that compile_commands.json lists")};
  cl::opt<std::string> Target{"target", cl::sub(Sub), cl::value_desc("VERSION"),
                              cl::desc("The oldest PyTorch that the code has to run with; default: "
                                       "the lowest that suffices")};
  cl::opt<bool> KeepBoth{"keep-both", cl::sub(Sub),
                         cl::desc("Leave the old lines beside the new ones, which are there where "
                                  "TORCH_STABLE_ONLY is defined")};
  cl::list<std::string> ExtraFlags{
      "extra-flags", cl::sub(Sub), cl::value_desc("FLAGS"),
      cl::desc("Read the files with these flags besides, and move what "
               "only that build has; repeatable")};
  /// The spelling of --extra-flags before it was renamed.
  cl::alias OldExtraFlags{"also", cl::aliasopt(ExtraFlags), cl::Hidden};
  cl::opt<bool> DryRun{"dry-run", cl::sub(Sub),
                       cl::desc("Change nothing; print what would change as a unified diff")};
  cl::opt<bool> Report{"report", cl::sub(Sub),
                       cl::desc("Change nothing; tell how much moves, what is left, and which "
                                "target is needed")};
  cl::opt<bool> Partial{"partial", cl::sub(Sub),
                        cl::desc("Go on where a file could be read in part only")};
  cl::opt<ReportFormat> Format{
      "format", cl::sub(Sub), cl::desc("How a report is printed"), cl::init(ReportFormat::Text),
      cl::values(clEnumValN(ReportFormat::Text, "text", "For people"),
                 clEnumValN(ReportFormat::Json, "json", "One JSON object a line"),
                 clEnumValN(ReportFormat::Markdown, "markdown", "Tables for a document"))};
  cl::opt<std::string> Output{"output", cl::sub(Sub), cl::value_desc("FILE"),
                              cl::desc("Print the report there instead of to standard output")};
};

llvm::Expected<StabilizeRequest> StabilizeCommand::request() const {
  StabilizeRequest Request;
  Request.Partial = Partial || Report;
  Request.KeepBoth = KeepBoth;
  for (const std::string &Flags : ExtraFlags) {
    llvm::BumpPtrAllocator Memory;
    llvm::StringSaver Saver(Memory);
    llvm::SmallVector<const char *> Words;
    cl::TokenizeGNUCommandLine(Flags, Saver, Words);
    Request.ExtraFlags.emplace_back(Words.begin(), Words.end());
  }
  if (!Target.empty()) {
    Request.Target = parseTorchVersion(Target);
    if (!Request.Target)
      return llvm::createStringError("'" + Target + "' is no version (--target)");
  }
  return Request;
}

llvm::Expected<int> StabilizeCommand::report(const StabilizeOutcome &Outcome) const {
  StableSummary Summary = summarize(Outcome);
  auto Print = [&](llvm::raw_ostream &OS) { printReport(OS, Summary, Outcome, Format); };
  if (!Output.empty()) {
    if (llvm::Error Err = writeFile(Output, Print))
      return std::move(Err);
  } else {
    Print(llvm::outs());
  }
  if (llvm::Error Err = finishOutput())
    return std::move(Err);
  return Summary.total() ? ExitFindings : ExitClean;
}

llvm::Expected<int> StabilizeCommand::deliver(const StabilizeOutcome &Outcome) const {
  llvm::raw_ostream &Words = DryRun ? llvm::errs() : llvm::outs();
  const PrintOptions Print = printOptions(Words);
  if (DryRun) {
    printPatch(Outcome.Texts);
  } else {
    OutputTree Tree;
    for (const EditedFileText &File : Outcome.Texts)
      Tree.edit(File.Name, File.Before, File.Now);
    llvm::Expected<unsigned> Written = rewriteFiles(std::move(Tree), Outcome.Read->Texts);
    if (!Written)
      return Written.takeError();
  }
  Findings Left = leftFindings(Outcome);
  for (const Finding &D : Left.all())
    printText(Words, D, *Outcome.Files, Print);
  for (const LeftError &Error : Outcome.Errors)
    Words << safeLineStart(Print.shown(Outcome.Files->name(Error.At.File))) << ':' << Error.At.Line
          << ':' << Error.At.Column << ": note: as code of the stable ABI, Clang says '"
          << safeText(Error.Text) << "'\n";
  if (!Outcome.Texts.empty())
    printDefines(Words, Outcome);
  if (llvm::Error Err = finishOutput())
    return std::move(Err);
  StableSummary Summary = summarize(Outcome);
  llvm::errs() << "opsig: " << Summary.line(Outcome.Texts.size(), DryRun) << '\n';
  bool Clean = Left.empty() && Outcome.Errors.empty() && !(DryRun && !Outcome.Texts.empty());
  return Clean ? ExitClean : ExitFindings;
}

llvm::Expected<int> StabilizeCommand::stabilize(const std::vector<std::string> &AfterDashes) {
  if (Inputs.empty() && !AllListed)
    return llvm::createStringError("stabilize needs the FILEs that it may rewrite");
  if (Report && DryRun)
    return llvm::createStringError("--report and --dry-run both change nothing: say one of them");
  llvm::Expected<StabilizeRequest> Request = request();
  if (!Request)
    return Request.takeError();
  llvm::Expected<CheckSetup> Setup = setUpCheck(
      Schema, Options, {{Inputs.begin(), Inputs.end()}, AllListed, AfterDashes}, llvm::errs());
  if (!Setup)
    return Setup.takeError();
  for (const std::string &Problem : Setup->Inputs.Problems)
    complain(llvm::createStringError(Problem));
  if (!Setup->Inputs.Problems.empty())
    return llvm::createStringError("no file was changed");
  llvm::Expected<StabilizeOutcome> Outcome = runStabilize(*Setup, *Request);
  if (!Outcome)
    return Outcome.takeError();
  return Report ? report(*Outcome) : deliver(*Outcome);
}

} // namespace

std::unique_ptr<Subcommand> makeStabilizeCommand() { return std::make_unique<StabilizeCommand>(); }

} // namespace opsig
