//===- Upgrade.cpp - opsig upgrade --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FILEs => new texts (UpgradeRun.h) => written, all or none | printed as a patch | a report
//
//===----------------------------------------------------------------------===//
#include "Messages.h"
#include "Subcommands.h"
#include "Terminal.h"
#include "check/Reading.h"
#include "check/Rewriting.h"
#include "upgrade/UpgradeRun.h"
#include "opsig/Dialect/Dialect.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/SafeText.h"
#include "opsig/Support/TextLayout.h"
#include "opsig/Workspace/TorchRoot.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

namespace cl = llvm::cl;

namespace opsig {

namespace {

class UpgradeCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "upgrade"; }
  llvm::StringRef operands() const override { return "FILE... [-- FLAGS]"; }
  cl::SubCommand &parser() override { return Sub; }
  Choices choices() override {
    return {{"format", &Options.Format.getParser()}, {"scope", &Options.Check.Of.getParser()}};
  }
  int run(const std::vector<std::string> &AfterDashes) override {
    return statusOf(upgrade(AfterDashes));
  }

private:
  llvm::Expected<int> upgrade(const std::vector<std::string> &AfterDashes);
  llvm::Expected<int> deliver(const UpgradeOutcome &Outcome);
  llvm::Error takeKeep(UpgradeRequest &Request) const;
  void printRows(llvm::raw_ostream &OS, const UpgradeOutcome &Outcome) const;

  cl::SubCommand Sub{"upgrade",
                     "Replace C++ APIs that a newer PyTorch lacks, and list what is left"};
  RewriteOptions Options{
      Sub, "Change nothing; list what would be replaced, what is left, and what to write instead"};
  ReadingOptions Reading{Sub};
  cl::alias To{"to", cl::aliasopt(Options.Schema.TorchRoot), cl::value_desc("DIR"),
               cl::desc("Upgrade to this PyTorch; the same as --torch-root")};
  cl::opt<std::string> Keep{"keep", cl::sub(Sub), cl::value_desc("VERSION|DIR"),
                            cl::desc("Keep the code compatible with this older PyTorch; with DIR, "
                                     "also compile the new code with the headers in DIR")};
};

std::string placeText(const UpgradePlace &At, const TextStyle &Style) {
  return Style.place(At.File, At.Line, At.Column);
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

/// "9 changes in 1 file, 1 needs review; 3 places are left".
std::string headline(const UpgradeOutcome &Outcome) {
  size_t Review =
      llvm::count_if(Outcome.Changes, [](const UpgradeChange &C) { return !C.Review.empty(); });
  std::string Text =
      counted(Outcome.Changes.size(), "change") + " in " + counted(Outcome.Texts.size(), "file");
  if (Review)
    Text += ", " + std::to_string(Review) + (Review == 1 ? " needs review" : " need review");
  size_t Left = Outcome.Left.size();
  return Text + "; " + counted(Left, "place") + (Left == 1 ? " is left" : " are left");
}

/// The summary first, then what changes, and what a person has to do.
void printReport(llvm::raw_ostream &OS, const UpgradeOutcome &Outcome) {
  const TextStyle Style(printOptions(OS));
  auto Share = [&](size_t Inputs) { return " (" + percentOf(Inputs, Outcome.NumInputs) + ")"; };
  OS << Style.strong(headline(Outcome)) << '\n';
  if (Outcome.NumInputs)
    OS << Outcome.CleanBefore << " of " << counted(Outcome.NumInputs, "input")
       << Share(Outcome.CleanBefore) << " compiled before, " << Outcome.CleanAfter << " of "
       << Outcome.NumInputs << Share(Outcome.CleanAfter) << " after\n";
  TextTable Changes("lllll");
  if (!Outcome.Changes.empty())
    Changes.add({Style.strong("place"), "before", "after", "why", ""});
  for (const UpgradeChange &C : Outcome.Changes)
    Changes.add({Style.place(C.At.File, C.At.Line, C.At.Column), Style.removed(safeText(C.From)),
                 C.To.empty() ? "(removed)" : Style.added(safeText(C.To)), safeText(C.Since),
                 C.Review.empty() ? "" : Style.warning("review: " + safeText(C.Review))});
  if (!Changes.empty())
    OS << '\n';
  Changes.print(OS);
  if (Outcome.Left.empty())
    return;
  OS << '\n' << Style.strong("Change by hand") << '\n';
  TextTable Left("ll");
  for (const UpgradeRest &R : Outcome.Left)
    Left.add({Style.place(R.At.File, R.At.Line, R.At.Column), safeText(R.Text)});
  Left.print(OS);
}

void UpgradeCommand::printRows(llvm::raw_ostream &OS, const UpgradeOutcome &Outcome) const {
  PrintOptions Print = printOptions(OS);
  if (Options.Format != ReportFormat::Text)
    Print = {.Folder = Print.Folder};
  const TextStyle Style(std::move(Print));
  if (Options.Report && Options.Format == ReportFormat::Text)
    return printReport(OS, Outcome);
  if (Options.Format == ReportFormat::Markdown)
    OS << headline(Outcome) << ".\n\n"
       << "| place | from | to | why |\n|---|---|---|---|\n";
  for (const UpgradeChange &C : Outcome.Changes) {
    if (Options.Format == ReportFormat::Json)
      printJson(
          OS, "change", C.At,
          llvm::json::Object{
              {"from", utf8(C.From)}, {"to", utf8(C.To)}, {"why", C.Since}, {"review", C.Review}});
    else if (Options.Format == ReportFormat::Markdown)
      OS << "| " << markdownText(placeText(C.At, Style)) << " | " << markdownCode(C.From) << " | "
         << markdownCode(C.To) << " | " << markdownText(C.Since) << " |\n";
    else
      OS << placeText(C.At, Style) << ": " << changeText(C) << '\n';
  }
  for (const UpgradeRest &R : Outcome.Left) {
    if (Options.Format == ReportFormat::Json)
      printJson(OS, "left", R.At, llvm::json::Object{{"text", utf8(R.Text)}});
    else if (Options.Format == ReportFormat::Markdown)
      OS << "| " << markdownText(placeText(R.At, Style)) << " | left | | " << markdownText(R.Text)
         << " |\n";
    else
      OS << placeText(R.At, Style) << ": left: " << safeText(R.Text) << '\n';
  }
}

llvm::Expected<int> UpgradeCommand::deliver(const UpgradeOutcome &Outcome) {
  if (Options.DryRun)
    printPatch(Outcome.Texts);
  printRows(Options.DryRun ? llvm::errs() : llvm::outs(), Outcome);
  const bool Writes = !Options.DryRun && !Options.Report;
  if (Writes) {
    llvm::Expected<unsigned> Written = rewriteFiles(Outcome.Texts, Outcome.Read->Texts);
    if (!Written)
      return Written.takeError();
  }
  if (llvm::Error Err = finishOutput())
    return std::move(Err);
  bool IsPending = !Writes && !Outcome.Texts.empty();
  int Status = Outcome.Left.empty() && !IsPending ? ExitClean : ExitFindings;
  if (Options.Report && Options.Format == ReportFormat::Text)
    return Status;
  llvm::errs() << "opsig: " << counted(Outcome.Changes.size(), "change") << " in "
               << counted(Outcome.Texts.size(), "file") << (Writes ? "; " : ", none written; ")
               << Outcome.CleanBefore << " of " << counted(Outcome.NumInputs, "input")
               << " compiled before, " << Outcome.CleanAfter << " after\n";
  return Status;
}

llvm::Error UpgradeCommand::takeKeep(UpgradeRequest &Request) const {
  if (Keep.empty())
    return llvm::Error::success();
  if (std::optional<llvm::VersionTuple> Oldest = parseTorchVersion(Keep)) {
    Request.Keep = *Oldest;
    reportNote("opsig does not compile the result with PyTorch " + Keep +
               "; to compile it, pass the folder of a PyTorch " + Keep + " with --keep DIR");
    return llvm::Error::success();
  }
  std::string Dir = absolutePath(Keep);
  std::optional<TorchVersion> Version = torchVersionOf(Dir);
  Request.KeptHeaders = torchHeaderFolders(Dir);
  if (Version && !Request.KeptHeaders.empty()) {
    Request.Keep = Version->Release;
    return llvm::Error::success();
  }
  return llvm::createStringError(
      "invalid value '" + Keep +
      "' for --keep; expected a version such as '1.8', or the folder of an "
      "older PyTorch with its headers");
}

llvm::Expected<int> UpgradeCommand::upgrade(const std::vector<std::string> &AfterDashes) {
  UpgradeRequest Request;
  Request.NamesHeaders = Options.Report;
  if (llvm::Error Err = takeKeep(Request))
    return std::move(Err);
  llvm::Expected<CheckSetup> Setup = setUpRewriting(words(), Options, AfterDashes);
  if (!Setup)
    return Setup.takeError();
  Reading.bound(Setup->Commands);
  Request.Reading = Reading.settings(Setup->Settings.Compile.Threads, /*WithPrefixes=*/true);
  llvm::Expected<UpgradeOutcome> Outcome = runUpgrade(*Setup, Request);
  if (!Outcome)
    return Outcome.takeError();
  return deliver(*Outcome);
}

} // namespace

std::unique_ptr<Subcommand> makeUpgradeCommand() { return std::make_unique<UpgradeCommand>(); }

} // namespace opsig
