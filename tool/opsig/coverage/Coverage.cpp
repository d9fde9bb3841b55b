//===- Coverage.cpp - opsig coverage -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// options => CoverageRun => report => text | JSON | markdown | a page
//
//===----------------------------------------------------------------------===//
#include "Memory.h"
#include "Subcommands.h"
#include "Terminal.h"
#include "check/CheckOutput.h"
#include "coverage/CoverageRun.h"
#include "opsig/Support/HtmlPage.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

namespace opsig {

namespace {

enum class CoverageFormat { Text, Json, Markdown, Html };

class CoverageCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "coverage"; }
  llvm::StringRef operands() const override { return "[FILE... [-- FLAGS]]"; }
  cl::SubCommand &parser() override { return Sub; }
  Choices choices() override {
    return {{"format", &Format.getParser()}, {"scope", &Options.Of.getParser()}};
  }
  int run(const std::vector<std::string> &AfterDashes) override {
    keepMemoryInLargePages();
    return statusOf(cover(AfterDashes));
  }

private:
  llvm::Expected<int> cover(const std::vector<std::string> &AfterDashes);
  CoverageRequest request(const std::vector<std::string> &AfterDashes) const;
  void print(llvm::raw_ostream &OS, const CoverageReport &Report, const CoverageRun &Run) const;
  /// \p Exist keeps which files do: there are ten thousand kernels in a few dozens of them.
  std::string linkTo(const CoveredKernel &Kernel, llvm::StringMap<bool> &Exist) const;

  cl::SubCommand Sub{"coverage", "Show which kernel each operator uses for each dispatch key"};
  SchemaOptions Schema{Sub};
  CheckOptions Options{Sub};
  ReadingOptions Reading{Sub};
  cl::list<std::string> Inputs{cl::Positional, cl::sub(Sub), cl::desc("FILE... [-- FLAGS]")};
  cl::opt<bool> AllListed{"all", cl::sub(Sub),
                          cl::desc("Read every C++ file that compile_commands.json lists")};
  cl::list<std::string> Dumps{"dispatch-dump", cl::sub(Sub), cl::value_desc("FILE"),
                              cl::desc("Use the dispatch tables in FILE, printed by a running "
                                       "PyTorch, instead of the schemas; repeatable")};
  cl::list<std::string> Keys{"keys", cl::sub(Sub), cl::value_desc("KEY"), cl::CommaSeparated,
                             cl::desc("Show these dispatch keys, or 'all'; default: the keys of "
                                      "the backend, or those with registered kernels")};
  cl::list<std::string> Without{
      "without", cl::sub(Sub), cl::value_desc("DEVICE"), cl::CommaSeparated,
      cl::desc(
          "Ignore PyTorch's own kernels for this device (CUDA, MPS), as in a build without it")};
  cl::opt<std::string> Ops{"ops", cl::sub(Sub), cl::value_desc("FILE"),
                           cl::desc("Show only the operators that FILE lists, one per line")};
  cl::opt<bool> Missing{"missing", cl::sub(Sub),
                        cl::desc("List only operators that lack a kernel for at least one key")};
  cl::opt<CoverageFormat> Format{
      "format", cl::sub(Sub), cl::desc("Choose the output format"), cl::init(CoverageFormat::Text),
      cl::values(clEnumValN(CoverageFormat::Text, "text", "Human-readable text"),
                 clEnumValN(CoverageFormat::Json, "json", "One JSON object per line"),
                 clEnumValN(CoverageFormat::Markdown, "markdown", "Markdown tables"),
                 clEnumValN(CoverageFormat::Html, "html", "An HTML page"))};
  cl::opt<std::string> LinkBase{
      "link-base", cl::sub(Sub), cl::value_desc("URL"),
      cl::desc("With --format html: link to source files below this URL, "
               "for example in a repository; default: link to local files")};
  cl::opt<std::string> Output{"output", cl::sub(Sub), cl::value_desc("FILE"),
                              cl::desc("Write to FILE instead of standard output")};
};

CoverageRequest CoverageCommand::request(const std::vector<std::string> &AfterDashes) const {
  CoverageRequest Request;
  Request.Arguments = {{Inputs.begin(), Inputs.end()}, AllListed, AfterDashes};
  Request.Dumps.assign(Dumps.begin(), Dumps.end());
  Request.Keys.assign(Keys.begin(), Keys.end());
  Request.Without.assign(Without.begin(), Without.end());
  Request.OpsFile = Ops;
  Request.Rows = Missing ? RowChoice::WithMissing : RowChoice::All;
  return Request;
}

std::string CoverageCommand::linkTo(const CoveredKernel &Kernel,
                                    llvm::StringMap<bool> &Exist) const {
  if (Kernel.File.empty())
    return "";
  if (!LinkBase.empty())
    return llvm::StringRef(LinkBase).rtrim('/').str() + "/" +
           htmlFileLink(llvm::sys::path::relative_path(Kernel.File), Kernel.Line);
  // What a dump tells of are files of the machine that built it.
  auto [Known, IsNew] = Exist.try_emplace(Kernel.File);
  if (IsNew)
    Known->second = llvm::sys::fs::exists(Kernel.File);
  if (!Known->second)
    return "";
  return htmlFileLink(absolutePath(Kernel.File), Kernel.Line);
}

void CoverageCommand::print(llvm::raw_ostream &OS, const CoverageReport &Report,
                            const CoverageRun &Run) const {
  switch (Format) {
  case CoverageFormat::Text:
    return printCoverageText(OS, Report, styleOf(OS));
  case CoverageFormat::Json:
    return printCoverageJson(OS, Report);
  case CoverageFormat::Markdown:
    return printCoverageMarkdown(OS, Report);
  case CoverageFormat::Html:
    llvm::StringMap<bool> Exist;
    auto Link = [&](const CoveredKernel &Kernel) { return linkTo(Kernel, Exist); };
    auto IsCore = [&](const CoveredOperator &Op) { return Run.isCore(Op); };
    return printCoverageHtml(OS, Report, {OPSIG_VERSION, Run.notes().vec(), Link, IsCore});
  }
}

llvm::Expected<int> CoverageCommand::cover(const std::vector<std::string> &AfterDashes) {
  CoverageRun Run(request(AfterDashes));
  llvm::Expected<bool> IsRead = Run.read(Schema, Options, Reading);
  if (!IsRead)
    return IsRead.takeError();
  if (!*IsRead)
    return ExitUnusable;
  llvm::Expected<CoverageReport> Report = Run.report();
  if (!Report)
    return Report.takeError();
  printDiagnostics(llvm::errs(), Run.diagnostics(), Run.files(), OutputFormat::Text);
  if (Output.empty() || Output == "-")
    print(llvm::outs(), *Report, Run);
  else if (llvm::Error Err =
               writeFile(Output, [&](llvm::raw_ostream &OS) { print(OS, *Report, Run); }))
    return std::move(Err);
  if (!Run.complete())
    return ExitUnusable;
  return Run.diagnostics().hasErrors() ? ExitFindings : ExitClean;
}

} // namespace

std::unique_ptr<Subcommand> makeCoverageCommand() { return std::make_unique<CoverageCommand>(); }

} // namespace opsig
