//===- Rewriting.cpp - subcommands that rewrite sources -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Messages.h"
#include "check/Rewriting.h"

namespace cl = llvm::cl;

namespace opsig {

RewriteOptions::RewriteOptions(cl::SubCommand &Sub, llvm::StringRef AboutReport)
    : Schema(Sub), Check(Sub), Inputs(cl::Positional, cl::sub(Sub), cl::desc("FILE... [-- FLAGS]")),
      AllListed("all", cl::sub(Sub),
                cl::desc("Rewrite every C++ file that compile_commands.json lists")),
      DryRun("dry-run", cl::sub(Sub),
             cl::desc("Change nothing; print the edits as a unified diff")),
      Report("report", cl::sub(Sub), cl::desc(AboutReport)),
      Format("format", cl::sub(Sub), cl::desc("Choose the format of the report"),
             cl::init(ReportFormat::Text),
             cl::values(clEnumValN(ReportFormat::Text, "text", "Human-readable text"),
                        clEnumValN(ReportFormat::Json, "json", "One JSON object per line"),
                        clEnumValN(ReportFormat::Markdown, "markdown", "Markdown tables"))) {}

llvm::Error refuseNoInputs(llvm::StringRef Words, const cl::list<std::string> &Inputs) {
  return Inputs.empty() ? llvm::createStringError(
                              Words + " needs FILEs or folders to rewrite, for example: opsig " +
                              Words + " csrc")
                        : llvm::Error::success();
}

llvm::Error refuseProblems(const CheckSetup &Setup) {
  for (const std::string &Problem : Setup.Inputs.Problems)
    complain(llvm::createStringError(Problem));
  return Setup.Inputs.Problems.empty() ? llvm::Error::success()
                                       : llvm::createStringError("no file was changed");
}

llvm::Expected<CheckSetup> setUpRewriting(llvm::StringRef Words, const RewriteOptions &Options,
                                          const std::vector<std::string> &AfterDashes) {
  if (!Options.AllListed)
    if (llvm::Error Err = refuseNoInputs(Words, Options.Inputs))
      return std::move(Err);
  if (Options.Report && Options.DryRun)
    return llvm::createStringError("--report and --dry-run cannot be combined");
  llvm::Expected<CheckSetup> Setup =
      setUpCheck(Options.Schema, Options.Check,
                 {{Options.Inputs.begin(), Options.Inputs.end()}, Options.AllListed, AfterDashes},
                 llvm::errs());
  if (!Setup)
    return Setup;
  if (llvm::Error Err = refuseProblems(*Setup))
    return std::move(Err);
  return Setup;
}

} // namespace opsig
