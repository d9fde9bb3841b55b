//===- Diff.cpp - opsig diff ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OLD, NEW, FILEs => DiffOutcome (DiffRun.h) => printed
// --since REV, FILEs => SinceOutcome (SinceRun.h) => printed
//
//===----------------------------------------------------------------------===//
#include "Memory.h"
#include "Subcommands.h"
#include "Terminal.h"
#include "check/CheckOutput.h"
#include "diff/DiffReport.h"
#include "diff/SinceReport.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

namespace opsig {

namespace {

enum class DiffFormat { Text, Json, Markdown, Html };
enum class DiffPart { All, Breaking };

class DiffCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "diff"; }
  llvm::StringRef operands() const override { return "(OLD NEW | --since REV) [FILE... -- FLAGS]"; }
  cl::SubCommand &parser() override { return Sub; }
  Choices choices() override {
    return {{"format", &Format.getParser()},
            {"only", &Only.getParser()},
            {"scope", &Options.Of.getParser()}};
  }
  int run(const std::vector<std::string> &AfterDashes) override {
    keepMemoryInLargePages();
    return statusOf(diff(AfterDashes));
  }

private:
  llvm::Expected<int> diff(const std::vector<std::string> &AfterDashes);
  llvm::Expected<int> diffSince(const std::vector<std::string> &AfterDashes);
  void print(llvm::raw_ostream &OS, const DiffOutcome &Outcome) const;
  void print(llvm::raw_ostream &OS, const SinceOutcome &Outcome) const;
  llvm::Error refuseSchemas() const;
  llvm::Error printTo(llvm::function_ref<void(llvm::raw_ostream &)> Print) const;

  cl::SubCommand Sub{"diff", "List changes between two PyTorch releases, or in a project's own "
                             "operators between two revisions"};
  CheckOptions Options{Sub};
  ReadingOptions Reading{Sub};
  cl::list<std::string> Inputs{cl::Positional, cl::sub(Sub),
                               cl::desc("OLD NEW [FILE... -- FLAGS]")};
  cl::opt<std::string> Since{
      "since", cl::sub(Sub), cl::value_desc("REV"),
      cl::desc("Compare the operators that FILEs define with those of the git revision REV, or "
               "compare two revisions: REV..REV")};
  cl::opt<std::string> OldTorch{"old-torch", cl::sub(Sub), cl::value_desc("VERSION"),
                                cl::desc("Set the release of OLD; default: read from OLD")};
  cl::opt<std::string> NewTorch{"new-torch", cl::sub(Sub), cl::value_desc("VERSION"),
                                cl::desc("Set the release of NEW; default: read from NEW")};
  SchemaOptions Schema{Sub}; // --backend: as it is for OLD
  cl::opt<DiffPart> Only{
      "only", cl::sub(Sub), cl::desc("Choose which changes to show"), cl::init(DiffPart::All),
      cl::values(clEnumValN(DiffPart::All, "all", "All changes (default)"),
                 clEnumValN(DiffPart::Breaking, "breaking",
                            "Changes that break kernels, backends, or calls from C++ or Python; "
                            "with --since, the exit status is 1 if there are any"))};
  cl::opt<DiffFormat> Format{
      "format", cl::sub(Sub), cl::desc("Choose the output format"), cl::init(DiffFormat::Text),
      cl::values(clEnumValN(DiffFormat::Text, "text", "Human-readable text"),
                 clEnumValN(DiffFormat::Json, "json", "One JSON object per line"),
                 clEnumValN(DiffFormat::Markdown, "markdown", "Markdown for a page or an issue"),
                 clEnumValN(DiffFormat::Html, "html", "An HTML page"))};
  cl::opt<std::string> Output{"output", cl::sub(Sub), cl::value_desc("FILE"),
                              cl::desc("Write to FILE instead of standard output")};
};

void DiffCommand::print(llvm::raw_ostream &OS, const DiffOutcome &Outcome) const {
  DiffChoice Choice{Only == DiffPart::Breaking};
  if (Format == DiffFormat::Json)
    return printDiffJson(OS, Outcome, Choice);
  DiffReport Report = makeReport(Outcome, Choice);
  if (Format == DiffFormat::Text) {
    printDiffText(OS, Report, outputColumns());
    if (Outcome.Kernels)
      printKernelsText(OS, Outcome);
    return;
  }
  if (Outcome.Kernels)
    Report.Sections.push_back(makeKernelSection(Outcome));
  Format == DiffFormat::Html ? printDiffHtml(OS, Report) : printDiffMarkdown(OS, Report);
}

void DiffCommand::print(llvm::raw_ostream &OS, const SinceOutcome &Outcome) const {
  DiffChoice Choice{Only == DiffPart::Breaking};
  if (Format == DiffFormat::Json)
    return printSinceJson(OS, Outcome, Choice);
  DiffReport Report = makeSinceReport(Outcome, Choice);
  if (Format == DiffFormat::Html)
    return printDiffHtml(OS, Report);
  if (Format == DiffFormat::Markdown)
    return printDiffMarkdown(OS, Report);
  printDiffText(OS, Report, outputColumns());
}

llvm::Error DiffCommand::printTo(llvm::function_ref<void(llvm::raw_ostream &)> Print) const {
  if (!Output.empty() && Output != "-")
    return writeFile(Output, Print);
  Print(llvm::outs());
  return llvm::Error::success();
}

llvm::Expected<int> DiffCommand::diffSince(const std::vector<std::string> &AfterDashes) {
  if (!OldTorch.empty() || !NewTorch.empty())
    return llvm::createStringError(
        "--old-torch and --new-torch cannot be combined with --since; pass --torch VERSION");
  SinceRequest Request;
  Request.Revisions = Since;
  Request.Arguments.Inputs.assign(Inputs.begin(), Inputs.end());
  if (Request.Arguments.Inputs.empty())
    Request.Arguments.Inputs = {"."};
  Request.Arguments.Flags = AfterDashes;
  Request.Verbose = Schema.Verbose;
  llvm::Expected<std::unique_ptr<SinceOutcome>> Outcome =
      runSince(Request, Schema, Options, Reading);
  if (!Outcome)
    return Outcome.takeError();
  if (llvm::Error Err = printTo([&](llvm::raw_ostream &OS) { print(OS, **Outcome); }))
    return std::move(Err);
  const SinceOutcome &Out = **Outcome;
  if (Only == DiffPart::Breaking && Out.Diff.breaks())
    return ExitFindings;
  return Out.Old.Lost || Out.New.Lost ? ExitUnusable : ExitClean;
}

llvm::Error DiffCommand::refuseSchemas() const {
  for (const cl::opt<std::string> *Option :
       {&Schema.TorchRoot, &Schema.Torch, &Schema.Schemas, &Schema.Tags})
    if (!Option->empty())
      return llvm::createStringError("--" + Option->ArgStr +
                                     " needs --since; without --since, pass OLD and NEW");
  return llvm::Error::success();
}

/// "--old-torch VERSION"; the root is no option.
static std::string spellOld(llvm::StringRef Name, llvm::StringRef Value) {
  return Name == "torch-root" ? "OLD" : dashedOption("old-" + Name.str(), Value);
}

static std::string spellNew(llvm::StringRef Name, llvm::StringRef Value) {
  return Name == "torch-root" ? "NEW" : dashedOption("new-" + Name.str(), Value);
}

llvm::Expected<int> DiffCommand::diff(const std::vector<std::string> &AfterDashes) {
  if (!Since.empty() || Since.getNumOccurrences())
    return diffSince(AfterDashes);
  if (llvm::Error Err = refuseSchemas())
    return std::move(Err);
  if (Inputs.size() < 2)
    return llvm::createStringError(
        "diff needs OLD and NEW (torch roots or native_functions.yaml files), or --since REV");
  DiffRequest Request;
  Request.Old = {Inputs[0], OldTorch, spellOld};
  Request.New = {Inputs[1], NewTorch, spellNew};
  Request.Backends.assign(Schema.Backends.begin(), Schema.Backends.end());
  Request.Arguments.Inputs.assign(Inputs.begin() + 2, Inputs.end());
  Request.Arguments.Flags = AfterDashes;
  Request.Verbose = Schema.Verbose;
  llvm::Expected<std::unique_ptr<DiffOutcome>> Outcome = runDiff(Request, Options);
  if (!Outcome)
    return Outcome.takeError();
  if (llvm::Error Err = printTo([&](llvm::raw_ostream &OS) { print(OS, **Outcome); }))
    return std::move(Err);
  return ExitClean;
}

} // namespace

std::unique_ptr<Subcommand> makeDiffCommand() { return std::make_unique<DiffCommand>(); }

} // namespace opsig
