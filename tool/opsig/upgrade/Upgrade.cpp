//===- Upgrade.cpp - opsig upgrade --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FILEs => new texts (UpgradeRun.h) => written, all or none | printed as a patch | a report
//
//===----------------------------------------------------------------------===//
#include "Subcommands.h"
#include "Terminal.h"
#include "check/CheckOutput.h"
#include "upgrade/UpgradeRun.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/SafeText.h"
#include "llvm/Support/JSON.h"

namespace cl = llvm::cl;

namespace opsig {

namespace {

enum class ReportFormat { Text, Json, Markdown };

class UpgradeCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "upgrade"; }
  llvm::StringRef operands() const override { return "FILE... [-- FLAGS]"; }
  cl::SubCommand &parser() override { return Sub; }
  Choices choices() override {
    return {{"format", &Format.getParser()}, {"scope", &Options.Of.getParser()}};
  }
  int run(const std::vector<std::string> &AfterDashes) override {
    return statusOf(upgrade(AfterDashes));
  }

private:
  llvm::Expected<int> upgrade(const std::vector<std::string> &AfterDashes);
  llvm::Expected<int> deliver(const UpgradeOutcome &Outcome);
  void printRows(llvm::raw_ostream &OS, const UpgradeOutcome &Outcome) const;

  cl::SubCommand Sub{"upgrade",
                     "Replace C++ API that a newer PyTorch lacks, and list what is left"};
  SchemaOptions Schema{Sub};
  CheckOptions Options{Sub};
  cl::list<std::string> Inputs{cl::Positional, cl::sub(Sub), cl::desc("FILE... [-- FLAGS]")};
  cl::alias To{"to", cl::aliasopt(Schema.TorchRoot), cl::value_desc("DIR"),
               cl::desc("The PyTorch to upgrade to; the same as --torch-root")};
  cl::opt<bool> AllListed{"all", cl::sub(Sub),
                          cl::desc("Every C++ file that compile_commands.json lists")};
  cl::opt<bool> DryRun{"dry-run", cl::sub(Sub),
                       cl::desc("Change nothing; print what would change as a unified diff")};
  cl::opt<bool> Report{"report", cl::sub(Sub),
                       cl::desc("Change nothing; list what would be replaced and what is left")};
  cl::opt<ReportFormat> Format{
      "format", cl::sub(Sub), cl::desc("How the list is printed"), cl::init(ReportFormat::Text),
      cl::values(clEnumValN(ReportFormat::Text, "text", "For people"),
                 clEnumValN(ReportFormat::Json, "json", "One JSON object a line"),
                 clEnumValN(ReportFormat::Markdown, "markdown", "A table for a document"))};
};

std::string placeText(const UpgradePlace &At) {
  std::string Out = safeLineStart(printOptions(llvm::outs()).shown(At.File));
  if (At.Line)
    Out += ":" + std::to_string(At.Line) + ":" + std::to_string(At.Column);
  return Out;
}

std::string changeText(const UpgradeChange &Change) {
  std::string Out = "'" + Change.From + "' => ";
  Out += Change.To.empty() ? "removed" : "'" + Change.To + "'";
  Out += " (" + Change.Since + ")";
  if (!Change.Review.empty())
    Out += "; review: " + Change.Review;
  return safeText(Out);
}

void printJson(llvm::raw_ostream &OS, llvm::StringRef Kind, const UpgradePlace &At,
               llvm::json::Object Row) {
  Row["kind"] = Kind;
  Row["file"] = utf8(At.File);
  Row["line"] = int64_t(At.Line);
  Row["column"] = int64_t(At.Column);
  printJsonLine(OS, std::move(Row));
}

void UpgradeCommand::printRows(llvm::raw_ostream &OS, const UpgradeOutcome &Outcome) const {
  if (Format == ReportFormat::Markdown)
    OS << "| place | from | to | why |\n|---|---|---|---|\n";
  for (const UpgradeChange &C : Outcome.Changes) {
    if (Format == ReportFormat::Json)
      printJson(
          OS, "change", C.At,
          llvm::json::Object{
              {"from", utf8(C.From)}, {"to", utf8(C.To)}, {"why", C.Since}, {"review", C.Review}});
    else if (Format == ReportFormat::Markdown)
      OS << "| " << markdownText(placeText(C.At)) << " | " << markdownCode(C.From) << " | "
         << markdownCode(C.To) << " | " << markdownText(C.Since) << " |\n";
    else
      OS << placeText(C.At) << ": " << changeText(C) << '\n';
  }
  for (const UpgradeRest &R : Outcome.Left) {
    if (Format == ReportFormat::Json)
      printJson(OS, "left", R.At, llvm::json::Object{{"text", utf8(R.Text)}});
    else if (Format == ReportFormat::Markdown)
      OS << "| " << markdownText(placeText(R.At)) << " | left | | " << markdownText(R.Text)
         << " |\n";
    else
      OS << placeText(R.At) << ": left: " << safeText(R.Text) << '\n';
  }
}

llvm::Expected<int> UpgradeCommand::deliver(const UpgradeOutcome &Outcome) {
  if (DryRun)
    printPatch(Outcome.Texts);
  printRows(DryRun ? llvm::errs() : llvm::outs(), Outcome);
  if (!DryRun && !Report) {
    OutputTree Tree;
    for (const EditedFileText &File : Outcome.Texts)
      Tree.edit(File.Name, File.Before, File.Now);
    llvm::Expected<unsigned> Written = rewriteFiles(std::move(Tree), Outcome.Read->Texts);
    if (!Written)
      return Written.takeError();
  }
  if (llvm::Error Err = finishOutput())
    return std::move(Err);
  llvm::errs() << "opsig: " << counted(Outcome.Changes.size(), "change") << " in "
               << counted(Outcome.Texts.size(), "file")
               << (DryRun || Report ? ", none written; " : "; ") << Outcome.CleanBefore << " of "
               << counted(Outcome.NumInputs, "input") << " compiled before, " << Outcome.CleanAfter
               << " now\n";
  bool IsPending = (DryRun || Report) && !Outcome.Texts.empty();
  return Outcome.Left.empty() && !IsPending ? ExitClean : ExitFindings;
}

llvm::Expected<int> UpgradeCommand::upgrade(const std::vector<std::string> &AfterDashes) {
  if (Inputs.empty() && !AllListed)
    return llvm::createStringError("upgrade needs the FILEs that it may rewrite");
  if (Report && DryRun)
    return llvm::createStringError("--report and --dry-run both change nothing: say one of them");
  llvm::Expected<CheckSetup> Setup = setUpCheck(
      Schema, Options, {{Inputs.begin(), Inputs.end()}, AllListed, AfterDashes}, llvm::errs());
  if (!Setup)
    return Setup.takeError();
  for (const std::string &Problem : Setup->Inputs.Problems)
    complain(llvm::createStringError(Problem));
  if (!Setup->Inputs.Problems.empty())
    return llvm::createStringError("no file was changed");
  llvm::Expected<UpgradeOutcome> Outcome = runUpgrade(*Setup);
  if (!Outcome)
    return Outcome.takeError();
  return deliver(*Outcome);
}

} // namespace

std::unique_ptr<Subcommand> makeUpgradeCommand() { return std::make_unique<UpgradeCommand>(); }

} // namespace opsig
