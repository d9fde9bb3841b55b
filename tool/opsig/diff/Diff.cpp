//===- Diff.cpp - opsig diff ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OLD, NEW, FILEs => DiffOutcome (DiffRun.h) => printed
//
//===----------------------------------------------------------------------===//
#include "Memory.h"
#include "Subcommands.h"
#include "Terminal.h"
#include "check/CheckOutput.h"
#include "diff/DiffReport.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

namespace opsig {

namespace {

enum class DiffFormat { Text, Json, Markdown, Html };
enum class DiffPart { All, Breaking };

class DiffCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "diff"; }
  llvm::StringRef operands() const override { return "OLD NEW [FILE... -- FLAGS]"; }
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
  void print(llvm::raw_ostream &OS, const DiffOutcome &Outcome) const;

  cl::SubCommand Sub{"diff", "What changes between two PyTorch releases, and for these kernels"};
  CheckOptions Options{Sub};
  cl::list<std::string> Inputs{cl::Positional, cl::sub(Sub),
                               cl::desc("OLD NEW [FILE... -- FLAGS]")};
  cl::opt<std::string> OldTorch{"old-torch", cl::sub(Sub), cl::value_desc("VERSION"),
                                cl::desc("The release of OLD; default: what it says itself")};
  cl::opt<std::string> NewTorch{"new-torch", cl::sub(Sub), cl::value_desc("VERSION"),
                                cl::desc("The release of NEW; default: what it says itself")};
  cl::list<std::string> Backends{
      "backend", cl::sub(Sub), cl::value_desc("FILE"),
      cl::desc("The YAML of an out-of-tree backend, as it is for OLD; repeatable")};
  cl::opt<DiffPart> Only{
      "only", cl::sub(Sub), cl::desc("What to show"), cl::init(DiffPart::All),
      cl::values(clEnumValN(DiffPart::All, "all", "Everything that changes (default)"),
                 clEnumValN(DiffPart::Breaking, "breaking",
                            "What breaks kernels, backends, or calls from C++ or Python"))};
  cl::opt<DiffFormat> Format{
      "format", cl::sub(Sub), cl::desc("How to print"), cl::init(DiffFormat::Text),
      cl::values(clEnumValN(DiffFormat::Text, "text", "For people"),
                 clEnumValN(DiffFormat::Json, "json", "One JSON object a line"),
                 clEnumValN(DiffFormat::Markdown, "markdown", "For a page or an issue"),
                 clEnumValN(DiffFormat::Html, "html", "A page to be read in a browser"))};
  cl::opt<std::string> Output{"output", cl::sub(Sub), cl::value_desc("FILE"),
                              cl::desc("Where to print; default: standard output")};
  cl::opt<bool> Verbose{"verbose", cl::sub(Sub),
                        cl::desc("Print all errors in an installed PyTorch's YAML")};
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
    OS << '\n' << Report.Counts << '\n';
    return;
  }
  if (Outcome.Kernels)
    Report.Sections.push_back(makeKernelSection(Outcome));
  Format == DiffFormat::Html ? printDiffHtml(OS, Report) : printDiffMarkdown(OS, Report);
}

llvm::Expected<int> DiffCommand::diff(const std::vector<std::string> &AfterDashes) {
  if (Inputs.size() < 2)
    return llvm::createStringError(
        "diff needs OLD and NEW: two torch roots, or two native_functions.yaml");
  DiffRequest Request;
  Request.Old = {Inputs[0], OldTorch};
  Request.New = {Inputs[1], NewTorch};
  Request.Backends.assign(Backends.begin(), Backends.end());
  Request.Arguments.Inputs.assign(Inputs.begin() + 2, Inputs.end());
  Request.Arguments.Flags = AfterDashes;
  Request.Verbose = Verbose;
  llvm::Expected<std::unique_ptr<DiffOutcome>> Outcome = runDiff(Request, Options);
  if (!Outcome)
    return Outcome.takeError();
  if (Output.empty() || Output == "-") {
    print(llvm::outs(), **Outcome);
    return ExitClean;
  }
  if (llvm::Error Err = writeFile(Output, [&](llvm::raw_ostream &OS) { print(OS, **Outcome); }))
    return std::move(Err);
  return ExitClean;
}

} // namespace

std::unique_ptr<Subcommand> makeDiffCommand() { return std::make_unique<DiffCommand>(); }

} // namespace opsig
